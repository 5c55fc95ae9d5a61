"""The LLM client: any OpenAI-compatible endpoint behind one method."""
