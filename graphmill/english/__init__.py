"""English on the floor: words of names, their forms, lists of words (`data/english`)."""
