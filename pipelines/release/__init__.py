"""The release: a Hugging Face folder with card, ledger, report and lock."""
