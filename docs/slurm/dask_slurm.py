"""Analyses archives with workers that are jobs of Slurm. Run it on a machine that can submit jobs, in a folder that all
nodes see:

    python dask_slurm.py archives.txt --out reports --jobs 8 [--partition NAME] [--cache PLACE] [-- OPTIONS of asercheck java]

Workers whose time is up are replaced. After an interruption the same command continues.
"""

import argparse
import sys

from asercheck.cluster.__main__ import main
from dask_jobqueue import SLURMCluster

words = sys.argv[1:]
at = words.index("--") if "--" in words else len(words)
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("list")
parser.add_argument("--out", required=True)
parser.add_argument("--cache")
parser.add_argument("--jobs", type=int, default=4, help="jobs of Slurm, each with one worker")
parser.add_argument("--partition")
parser.add_argument("--memory", default="4GB", help="of each job")
parser.add_argument("--time", default="04:00:00", help="of each job")
parser.add_argument("--interface", help="the network between the machines, for example ib0")
arguments = parser.parse_args(words[:at])

if __name__ == "__main__":
    with SLURMCluster(
        cores=1,
        processes=1,
        memory=arguments.memory,
        queue=arguments.partition,
        walltime=arguments.time,
        interface=arguments.interface,
    ) as cluster:
        # A job whose time is up is submitted again.
        cluster.adapt(minimum_jobs=arguments.jobs, maximum_jobs=arguments.jobs)
        given = ["audit", arguments.list, "--out", arguments.out, "--scheduler", cluster.scheduler_address]
        given += ["--cache", arguments.cache] if arguments.cache else []
        code = main([*given, *words[at:]])
    sys.exit(code)
