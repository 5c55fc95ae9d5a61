"""The keywords of nGQL 3.x: those that may not be names unless quoted, and those that may.

Source: NebulaGraph 3.8 manual, "Keywords" (3.ngql-guide/1.nGQL-overview), and what the parser
of 3.x does where that page is behind (`LIST`, `MAP`, the joins, `CONTAINS`).
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of `text`.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())


RESERVED = words(
    """
    ADD ALTER AND ANTI AS ASC ASCENDING BALANCE BOOL BY CASE CHANGE COMPACT CREATE DATE DATETIME
    DELETE DESC DESCENDING DESCRIBE DISTINCT DOUBLE DOWNLOAD DROP DURATION EDGE EDGES EXISTS
    EXPLAIN FALSE FETCH FIND FIXED_STRING FLOAT FLUSH FROM GEOGRAPHY GET GO GRANT IF
    IGNORE_EXISTED_INDEX IN INDEX INDEXES INGEST INNER INSERT INT INT16 INT32 INT64 INT8
    INTERSECT JOIN LEFT LIST LOOKUP MAP MATCH MINUS NOT NULL OF ON OR ORDER OUTER OVER PATH PROP
    REBUILD RECOVER REMOVE RETURN REVERSELY REVOKE RIGHT SEMI SET SHOW STEP STEPS STOP STRING
    SUBMIT TAG TAGS TIME TIMESTAMP TO TRUE UNION UNWIND UPDATE UPSERT UPTO USE VERTEX VERTICES
    WHEN WHERE WITH XOR YIELD
    """
)

UNRESERVED = words(
    """
    ACCOUNT ADMIN AGENT ALL ALLSHORTESTPATHS ANALYZER ANY ATOMIC_EDGE AUTO BIDIRECT BOTH CHARSET
    CLEAR CLIENTS COLLATE COLLATION COMMENT CONFIGS CONTAINS DATA DBA DEFAULT DIVIDE
    ELASTICSEARCH ELSE END ENDS ES_QUERY FORCE FORMAT FULLTEXT GOD GRAPH GROUP GROUPS GUEST HDFS
    HOST HOSTS HTTP HTTPS INTO JOB JOBS KILL LEADER LIMIT LINESTRING LISTENER LOCAL MERGE META
    NEW NOLOOP NONE OFFSET OPTIONAL OUT PART PARTITION_NUM PARTS PASSWORD PLAN POINT POLYGON
    PROFILE QUERIES QUERY REDUCE RENAME REPLICA_FACTOR RESET ROLE ROLES S2_MAX_CELLS S2_MAX_LEVEL
    SAMPLE SEARCH SERVICE SESSION SESSIONS SHORTEST SHORTESTPATH SIGN SINGLE SKIP SNAPSHOT
    SNAPSHOTS SPACE SPACES STARTS STATS STATUS STORAGE SUBGRAPH TEXT TEXT_SEARCH THEN TOP TTL_COL
    TTL_DURATION USER USERS UUID VALUE VALUES VID_TYPE ZONE ZONES
    """
)

KEYWORDS = RESERVED | UNRESERVED

# Words that the manual reserves although the parser of 3.8 has no use for them: quoted when
# written, accepted when read.
FUTURE = frozenset({"ACROSS", "IS", "NO", "OVERWRITE", "RESTART"})


def must_quote(name: str) -> bool:
    """Whether `name` needs backticks; unreserved words too, because they lose their case.

    >>> must_quote("name"), must_quote("Order"), must_quote("Comment"), must_quote("first name")
    (False, True, True, True)
    """
    plain = name.isascii() and name.replace("_", "a").isalnum() and name[:1].isalpha()
    return not plain or name.upper() in KEYWORDS or name.upper() in FUTURE


def quote(name: str) -> str:
    """`name` as nGQL text.

    Raises:
        ValueError: the name is empty or contains a dot, which nGQL has no notation for.

    >>> quote("name"), quote("Order"), quote("a`b")
    ('name', '`Order`', '`a\\\\`b`')
    """
    if not name or "." in name:
        raise ValueError(name)
    if not must_quote(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("`", "\\`").replace("\n", "\\n")
    return f"`{escaped}`"
