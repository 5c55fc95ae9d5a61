"""What the codes of `rejects.jsonl` mean, in a short sentence for whoever reads a report.

A line of the ledger says its own reason too; this is what all lines of one code have in common.
Codes of a translator's refusals have their sentence there (`translators.refusals.CODES`).
"""

from __future__ import annotations

from translators.refusals import CODES

MEANINGS = {
    # drafting a query, or making one harder
    "no-fit": "The graph has no place for this kind of query.",
    "no-wording": "Nobody would ask for that, or there is no good way to say it.",
    "no-site": "Nothing can be added to such a query.",
    "nothing-fits": "No way to make the query harder fits it, or all were tried.",
    "goal-full": "Enough of the released queries ask for the like.",
    "tier-full": "The database has all the queries of this tier that it was to have.",
    "shape-full": "Other queries differ from it in their values only.",
    "place-reserved": "The places left are kept for constructs that are still missing.",
    "refused": "One of the languages cannot say it.",
    "invalid": "The changed query is no valid query of the graph.",
    "same-answer": "The changed query has the answer of the one before.",
    "same-query": "The change changed nothing.",
    "same-shape": "The changed query has the shape of the one before.",
    "tie": "Rows tie where the answer is cut off, so that it is not determined.",
    "too-many-matches": "It matches too much to be answered in time.",
    "too-many-rows": "Its answer is too long to be read.",
    "no-answer": "It failed, or ran into its time limit.",
    "empty": "Its answer, or a model’s, is empty.",
    "null": "Its answer is NULL only.",
    "null-group": "One of its groups is of what has no value.",
    "ties": "Of more than one group in ten several are the best.",
    "zero": "Its answer is a lone 0.",
    "empty-answer": "Its answer has no rows, so that it proves little.",
    "lone-zero": "Its answer is a lone 0, which proves little.",
    "only-nulls": "Its answer is NULL only, which proves little.",
    # a given or proposed pair
    "broken-line": "The line of the source is no pair.",
    "has-parameters": "It has parameters without values.",
    "unbound-parameter": "It has a parameter without a value.",
    "bad-parameter": "The value of a parameter does not fit.",
    "no-mapping": "The source’s tables have no mapping to the graph.",
    "no-pattern": "It looks for no pattern of the graph.",
    "no-question": "It has no question.",
    "not-repeatable": "Its answer depends on the clock or on chance.",
    "open-window": "How many rows it wants is not a number.",
    "round-trip": "Its text, read again, is not the same query.",
    "too-deep": "It is nested too deeply.",
    "too-long": "It is longer than a person would check.",
    "writes": "It changes the graph.",
    "syntax": "It does not parse.",
    "semantic": "It names what the graph does not have, or mixes types.",
    # comparing answers
    "disagrees": "Two engines gave different answers.",
    "not-executed": "An engine could not run it.",
    "one-witness": "Only one engine answered: nothing confirms it.",
    "inner-tie": "Rows tie where a list inside is cut off, so that the answer is not determined.",
    "near-mean": "A value is so near an average that engines may take either side.",
    "instance-alone": "On a small graph only one engine answered.",
    "instance-disagrees": "On a small graph two engines gave different answers.",
    "instance-fails": "On a small graph an engine could not run it.",
    "instance-misread": "A small graph was not read as it was written.",
    # questions
    "question-not-expressible": "There is no good question for it in words.",
    "level-missing": "A question of one level is missing.",
    "level-mixed": "A question speaks in the words of another level.",
    "value-lost": "A question lacks a value that the query has.",
    "value-foreign": "A question has a value that the query lacks.",
    "negation-lost": "A question lacks the query’s “not”.",
    "direction-reversed": "A question turns a relation round.",
    "label-missing": "The question close to the query lacks one of its names.",
    "clause-missing": "The question close to the query lacks one of its steps.",
    "entity-missing": "A question lacks a thing that the query asks about.",
    "entity-foreign": "A question names a thing that the query does not ask about.",
    "relation-missing": "A question lacks a relation that the query walks along.",
    "not-recovered": "The query could not be found again from its question.",
    "ambiguous-reading": "The question can be read in two ways that have different answers.",
    "vacuous-part": "A part of the question changes nothing, whatever the data.",
    "weak-discrimination": "Its answer fits too many altered copies of the query.",
    "not-told": "There is no good question for it in words.",
    # choosing
    "duplicate": "It is there already.",
    "duplicate-query": "The same query is there already.",
    "same-question": "The same question is there already, for another query.",
    "near-duplicate": "Nearly the same pair is there already.",
    "over-quota": "The database already has as many pairs as it was to have.",
    # review by experts
    "mismatch": "Experts: question and query do not ask for the same.",
    "ambiguous": "Experts: the question can be read in more than one way.",
    "ill-specified": "Experts: the question leaves open what is asked for.",
    "unnatural": "Experts: nobody would say it so.",
    "low-alignment": "Experts rated question and query as too far apart.",
    # a model's replies
    "authentication": "The model’s service refused the key.",
    "broken-reply": "The model’s service gave a reply that cannot be read.",
    "budget": "The budget for models was spent.",
    "connection": "The model’s service was not reached.",
    "not-json": "The model’s reply is no JSON.",
    "refusal": "The model would not answer.",
    "request": "The model’s service refused the request.",
    "script": "The scripted model had no reply left.",
    "stopped": "The work was stopped before it was tried.",
    "timeout": "It took too long.",
    "truncated": "The model’s reply was cut off.",
    "unrecorded": "The model’s reply is not among the recorded ones.",
    "usage": "The model’s service did not say what the reply cost.",
    # masked pairs
    "mask-place": "A mask stands where no value can stand.",
    "no-instance": "The data has no such path.",
    "no-ngql": "nGQL cannot say it.",
    "no-single-match": "It is not one pattern.",
    "other-masks": "Question and query have different masks.",
    "other-path": "It walks along another path than was asked for.",
    "told-differently": "The question, read back, asks for something else.",
    # programs and workers
    "empty-source": "The source has nothing in it.",
    "not-drawn": "No program drew the graph as specified.",
    "no-program": "The model’s reply is no program.",
    "engine-killed": "The engine that was to run it was killed.",
    "worker-killed": "The worker that tried it was killed.",
}
"""Codes of our own stages, by stage."""


def meaning(code: str) -> str:
    """A sentence for a code; empty for one that is not ours.

    >>> meaning("one-witness"), meaning("contains")[:34], meaning("?")
    ('Only one engine answered: nothing confirms it.', 'The language has no test for a par', '')
    """
    return MEANINGS.get(code) or CODES.get(code, "")
