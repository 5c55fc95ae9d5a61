"""From Graph-IR to languages and from SQL to Graph-IR: faithful or refused."""
