# A job for each shard of the classes of a Java program, then one that merges their reports:
#
#   snakemake -s docs/snakemake/java.smk --cores 8 --config classes="app.jar" shards=4
#
# More options of `asercheck java` are in `options`; `jobs` is the number of classes that a shard decides at the same time.

CLASSES = config.get("classes", "").split()
SHARDS = int(config.get("shards", 4))
JOBS = int(config.get("jobs", 2))
OPTIONS = config.get("options", "--timeout 60s")
OUT = config.get("out", "results")


rule all:
    input:
        f"{OUT}/merged.json",


rule shard:
    input:
        CLASSES,
    output:
        f"{OUT}/{{shard}}.json",
    threads: JOBS
    # Codes 1 and 3 are verdicts. After an interruption the cache has what was decided.
    shell:
        f"asercheck java {{input}} {OPTIONS} --jobs {{threads}} --quiet --shard {{wildcards.shard}}/{SHARDS} "
        f"--cache {OUT}/cache --format json > {{output}} || [ $? -eq 1 -o $? -eq 3 ]"


rule merge:
    input:
        expand(f"{OUT}/{{shard}}.json", shard=range(1, SHARDS + 1)),
    output:
        f"{OUT}/merged.json",
    shell:
        "asercheck merge {input} --out {output}"
