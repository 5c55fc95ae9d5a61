# /// script
# requires-python = ">=3.12"
# dependencies = ["peft>=0.15", "torch>=2.5", "transformers>=4.50"]
# ///
"""One step of LoRA with the settings of docs/fine-tuning.md on a tiny random model, on the CPU.

    uv run benchmarks/lora_step.py ROWS.jsonl [--rows 4]

ROWS are of `graphmill export --to chat`. The model is a Llama of two layers with random weights
and the bytes of UTF-8 as tokens: it learns nothing of use, and shows that rows are what a trainer
takes, that the loss is of the answers alone, and that a step changes adapters and nothing else.
Prints one JSON line (losses before and after, parameters trained, of how many); ends with 1 where a
weight of the model has changed or none of the adapters has. Needs torch, transformers and peft, of
which graphmill itself needs none.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

LEARNING_RATE, RANK, ALPHA = 2e-4, 16, 32  # TB-J12
IGNORED = -100  # a token of which there is no loss
BYTES, END = 256, 256  # the tokens; the one behind an answer
LONGEST = 2048


def tokens(row: dict[str, Any]) -> tuple[list[int], list[int]]:
    """The tokens of a row of `chat`, and those of which there is loss: the last message's.

    >>> turns = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
    >>> tokens({"messages": turns})
    ([97, 98, 256], [-100, 98, 256])
    """
    *asked, answer = (list(message["content"].encode()) for message in row["messages"])
    if row["messages"][-1]["role"] != "assistant":
        raise SystemExit("A row does not end with an answer: export with --to chat.")
    prompt = [token for message in asked for token in message]
    prompt = prompt[-(LONGEST - len(answer) - 1) :] if answer else prompt
    return [*prompt, *answer, END], [*([IGNORED] * len(prompt)), *answer, END]


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--rows", dest="number", type=int, default=4)
    given = parser.parse_args()
    loaded = []
    for name in ("torch", "transformers", "peft"):
        try:
            loaded.append(importlib.import_module(name))
        except ImportError:
            sys.stderr.write(f"{name} is not installed: pip install torch transformers peft\n")
            return 2
    lines = given.rows.read_text(encoding="utf-8").splitlines()[: given.number]
    torch, transformers, peft = loaded
    report = step(torch, transformers, peft, [json.loads(line) for line in lines])
    sys.stdout.write(f"{json.dumps(report)}\n")
    return 0 if report["adapters changed"] and not report["weights changed"] else 1


def step(torch: Any, transformers: Any, peft: Any, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One step of the optimiser, over the gradients of all rows added up."""
    torch.manual_seed(7)
    torch.set_num_threads(1)
    config = transformers.LlamaConfig(
        vocab_size=BYTES + 1,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=LONGEST,
        bos_token_id=None,
        eos_token_id=END,
    )
    base = transformers.LlamaForCausalLM(config)
    lora = peft.LoraConfig(
        r=RANK, lora_alpha=ALPHA, task_type="CAUSAL_LM", target_modules=["q_proj", "v_proj"]
    )
    model = peft.get_peft_model(base, lora)
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    trained = [value for value in model.parameters() if value.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=LEARNING_RATE)
    first = 0.0
    for row in rows:
        loss = loss_of(torch, model, row) / len(rows)
        loss.backward()
        first += loss.item()
    optimiser.step()
    with torch.no_grad():
        second = sum(loss_of(torch, model, row).item() for row in rows) / len(rows)
    changed = [
        name for name, value in model.named_parameters() if not torch.equal(value, before[name])
    ]
    return {
        "rows": len(rows),
        "loss": round(first, 4),
        "loss after": round(second, 4),
        "trained": sum(value.numel() for value in trained),
        "of": sum(value.numel() for value in model.parameters()),
        "adapters changed": sum("lora_" in name for name in changed),
        "weights changed": sum("lora_" not in name for name in changed),
    }


def loss_of(torch: Any, model: Any, row: dict[str, Any]) -> Any:
    """The mean loss of the tokens of the answer."""
    given, wanted = (torch.tensor([each]) for each in tokens(row))
    return model(input_ids=given, labels=wanted).loss


if __name__ == "__main__":
    sys.exit(main())
