"""The types of the Python API; a test holds the names to those of `pipelines.api`."""

from pipelines.api import (
    ConfigError as ConfigError,
)
from pipelines.api import (
    Corpus as Corpus,
)
from pipelines.api import (
    Diagnostic as Diagnostic,
)
from pipelines.api import (
    EngineError as EngineError,
)
from pipelines.api import (
    EngineUnavailable as EngineUnavailable,
)
from pipelines.api import (
    Graph as Graph,
)
from pipelines.api import (
    GraphmillError as GraphmillError,
)
from pipelines.api import (
    LLMError as LLMError,
)
from pipelines.api import (
    LosslessError as LosslessError,
)
from pipelines.api import (
    QueryError as QueryError,
)
from pipelines.api import (
    QueryTextError as QueryTextError,
)
from pipelines.api import (
    QueryTimeout as QueryTimeout,
)
from pipelines.api import (
    QueryTooLarge as QueryTooLarge,
)
from pipelines.api import (
    QueryUnsound as QueryUnsound,
)
from pipelines.api import (
    Refused as Refused,
)
from pipelines.api import (
    Result as Result,
)
from pipelines.api import (
    Runner as Runner,
)
from pipelines.api import (
    SchemaError as SchemaError,
)
from pipelines.api import (
    ShadowedError as ShadowedError,
)
from pipelines.api import (
    SourceError as SourceError,
)
from pipelines.api import (
    Translation as Translation,
)
from pipelines.api import (
    UnknownNameError as UnknownNameError,
)
from pipelines.api import (
    Verified as Verified,
)
from pipelines.api import (
    build as build,
)
from pipelines.api import (
    check as check,
)
from pipelines.api import (
    convert as convert,
)
from pipelines.api import (
    evaluate as evaluate,
)
from pipelines.api import (
    preview as preview,
)
from pipelines.api import (
    run as run,
)
from pipelines.api import (
    synth as synth,
)
from pipelines.api import (
    translate as translate,
)
from pipelines.api import (
    verify as verify,
)

__version__: str
__all__: list[str]
