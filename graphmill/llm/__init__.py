"""Models behind one seam: any OpenAI-compatible endpoint, recorded, retried, bounded and paid for.

`client.connect(Settings(…), replies)` gives a `Client`, whose `ask`, `ask_many`, `fill` and
`fill_many` are what the other layers call. Inside, each concern is a `Model` round another one:
`Recorded(Retrying(Bounded(Budgeted(OpenAI))))`.
"""
