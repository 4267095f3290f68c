"""A study on two Ray nodes of this machine, one of which is killed meanwhile: `python two_nodes.py STUDY FOLDER`.

A test runs this program in a network namespace of its own, because Ray listens on the machine's address.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import sleep

from caltrop.lab.studies.executors import OnRay
from caltrop.lab.studies.running import Folder, StudyProgress, run

NO_CLUSTER = 75
"""The exit code if Ray does not start in time, as on a busy machine."""


def main(study: str, folder: str) -> None:
    """Run the study; print the hash of its games and the number of remaining nodes."""
    # Doctest imports every test file, even if Ray is not installed.
    import ray
    from ray.cluster_utils import Cluster

    try:
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        other = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    except Exception as error:
        print(error, file=sys.stderr)
        raise SystemExit(NO_CLUSTER) from error
    killed, alive = False, 2

    def kill(progress: StudyProgress) -> None:
        nonlocal killed
        if not killed and progress.played >= 8:
            cluster.remove_node(other, allow_graceful=False)
            killed = True

    figures = run(Path(study), Folder(Path(folder)), OnRay(2), kill)
    for _ in range(240):  # a cluster takes some time to notice that a node is lost
        alive = sum(node["Alive"] for node in ray.nodes())
        if alive == 1:
            break
        sleep(0.25)
    print("figures:", figures.digest, figures.state, killed, alive, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
