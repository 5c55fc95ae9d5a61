"""The three levels and the model that writes them."""
