"""Checks that boto3 works against a local ECS: python boto3_ecs.py http://127.0.0.1:18051 CLUSTER"""

import sys
import time

import boto3

ecs = boto3.client(
    "ecs",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
)
CLUSTER = sys.argv[2]


def define(family, command, memory=64):
    ecs.register_task_definition(
        family=family,
        containerDefinitions=[
            {"name": "main", "image": "none", "command": command, "memory": memory, "stopTimeout": 2}
        ],
    )


def await_status(task, status, seconds=10):
    deadline = time.monotonic() + seconds
    while True:
        described = ecs.describe_tasks(cluster=CLUSTER, tasks=[task], include=["TAGS"])["tasks"][0]
        if described["lastStatus"] == status:
            return described
        assert time.monotonic() < deadline, described
        time.sleep(0.02)


define("boto", ["sleep", "600"])
answer = ecs.run_task(
    cluster=CLUSTER,
    taskDefinition="boto",
    clientToken="boto-" + str(time.time_ns()),
    startedBy="boto3",
    tags=[{"key": "language", "value": "python"}],
    overrides={"containerOverrides": [{"name": "main", "environment": [{"name": "A", "value": "b"}]}]},
)
assert answer["failures"] == []
task = answer["tasks"][0]["taskArn"]
running = await_status(task, "RUNNING")
assert running["tags"] == [{"key": "language", "value": "python"}], running
assert running["createdAt"] <= running["startedAt"], running
assert ecs.list_tasks(cluster=CLUSTER, startedBy="boto3")["taskArns"] == [task]

ecs.stop_task(cluster=CLUSTER, task=task, reason="enough")
ecs.get_waiter("tasks_stopped").wait(
    cluster=CLUSTER, tasks=[task], WaiterConfig={"Delay": 1, "MaxAttempts": 10}
)
stopped = await_status(task, "STOPPED")
assert stopped["stoppedReason"] == "enough", stopped
assert stopped["containers"][0]["exitCode"] == 143, stopped

define("giant", ["true"], memory=1_000_000)
failures = ecs.run_task(cluster=CLUSTER, taskDefinition="giant")["failures"]
assert {failure["reason"] for failure in failures} == {"RESOURCE:MEMORY"}, failures

missing = ecs.describe_tasks(cluster=CLUSTER, tasks=["0" * 32])["failures"]
assert missing[0]["reason"] == "MISSING", missing
try:
    ecs.stop_task(cluster=CLUSTER, task="0" * 32)
    raise AssertionError("an unknown task was stopped")
except ecs.exceptions.InvalidParameterException as refusal:
    assert "not found" in str(refusal), refusal
try:
    ecs.list_tasks(cluster="other")
    raise AssertionError("an unknown cluster was listed")
except ecs.exceptions.ClusterNotFoundException:
    pass
assert ecs.describe_clusters(clusters=[CLUSTER])["clusters"][0]["status"] == "ACTIVE"
print("boto3 works")
