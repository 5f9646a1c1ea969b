"""Many archives, or many models, on many machines: tasks for a scheduler of Dask (``pip install asercheck[cluster]``).

``audit`` analyses archives of Java classes, ``check`` decides queries of models; ``python -m asercheck.cluster`` calls
them. The scheduler, its workers and its dashboard are those of Dask. A task is a group of classes of one archive, or
one model, and starts the command ``asercheck``, which must be the same build on all machines.

The results are those of the command, byte for byte but for seconds, whatever the number of workers is, and whichever
of them die: the report of a class depends on the classes and the options only.
"""

from asercheck.cluster._audit import audit
from asercheck.cluster._check import check
from asercheck.cluster._errors import ClusterError
from asercheck.cluster._jobs import Job, jobs_of

__all__ = ["ClusterError", "Job", "audit", "check", "jobs_of"]
