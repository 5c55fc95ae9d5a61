"""ISO GQL text to Graph-IR: grammar, lexer, what each rule becomes, and the idioms we write."""
