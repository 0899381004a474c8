"""Checks that boto3 works against a local ECS with two empty hosts: python boto3_ecs.py http://127.0.0.1:18051 CLUSTER"""

import json
import sys
from datetime import datetime, timezone

import boto3
from botocore.exceptions import ClientError, WaiterError

CLUSTER = sys.argv[2]
QUICKLY = {"Delay": 1, "MaxAttempts": 20}

ecs = boto3.client(
    "ecs",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
)


def check(shape, value, path):
    """botocore ignores members that its model of ECS does not know, and does not check types."""
    kinds = {
        "structure": dict,
        "map": dict,
        "list": list,
        "string": str,
        "boolean": bool,
        "integer": int,
        "long": int,
        "double": (int, float),
        "timestamp": (int, float),
    }
    assert isinstance(value, kinds[shape.type_name]), (path, shape.type_name, value)
    assert shape.type_name == "boolean" or not isinstance(value, bool), (path, value)
    if shape.type_name == "structure":
        for name, member in value.items():
            assert name in shape.members, f"ECS has no {path}.{name}"
            check(shape.members[name], member, f"{path}.{name}")
    elif shape.type_name == "list":
        for number, element in enumerate(value):
            check(shape.member, element, f"{path}[{number}]")
    elif shape.type_name == "string" and shape.enum:
        assert value in shape.enum, (path, value)


def check_answer(http_response, parsed, model, **_):
    if http_response.status_code == 200:
        check(model.output_shape, json.loads(http_response.content), model.name)
    assert parsed["ResponseMetadata"]["RequestId"], parsed


ecs.meta.events.register("after-call.ecs", check_answer)


def refused(code, text, operation, **parameters):
    try:
        operation(**parameters)
    except ClientError as refusal:
        assert refusal.response["Error"]["Code"] == code, refusal
        assert text in refusal.response["Error"]["Message"], refusal
        assert code == "UnknownOperationException" or isinstance(refusal, getattr(ecs.exceptions, code)), refusal
        return refusal.response
    raise AssertionError(f"not refused: {parameters}")


def define(family, command, **more):
    container = {"name": "main", "image": "none", "command": command, "memory": 30, "stopTimeout": 2, **more}
    return ecs.register_task_definition(
        family=family, containerDefinitions=[container], tags=[{"key": "language", "value": "python"}]
    )["taskDefinition"]["taskDefinitionArn"]


def task(arn, **more):
    return ecs.describe_tasks(cluster=CLUSTER, tasks=[arn], **more)["tasks"][0]


def pages(operation, **parameters):
    paginator = ecs.get_paginator(operation)
    answers = list(paginator.paginate(PaginationConfig={"PageSize": 1}, **parameters))
    assert all(len(arns) <= 1 for answer in answers for arns in answer.values() if isinstance(arns, list))
    return [arn for answer in answers for arns in answer.values() if isinstance(arns, list) for arn in arns]


# Task definitions
revisions = [define("boto", ["sleep", "600"]) for _ in range(11)]
assert pages("list_task_definitions", familyPrefix="boto") == revisions, "in numerical order"
assert ecs.list_task_definitions(familyPrefix="boto", sort="DESC")["taskDefinitionArns"] == revisions[::-1]
assert ecs.list_task_definitions(familyPrefix="boto", status="INACTIVE")["taskDefinitionArns"] == []
assert ecs.describe_task_definition(taskDefinition="boto")["taskDefinition"]["revision"] == 11
assert ecs.describe_task_definition(taskDefinition="boto")["tags"] == []
assert ecs.describe_task_definition(taskDefinition="boto:3", include=["TAGS"])["tags"][0]["key"] == "language"
refused("ClientException", "Unable to describe", ecs.describe_task_definition, taskDefinition="other")
refused("ClientException", "memory", ecs.register_task_definition, family="a", containerDefinitions=[{"name": "main", "command": ["true"]}])
refused("ClientException", "family", ecs.register_task_definition, family="a b", containerDefinitions=[])

# A task runs
request = {
    "cluster": CLUSTER,
    "taskDefinition": "boto",
    "clientToken": "boto-1",
    "startedBy": "boto3",
    "tags": [{"key": "language", "value": "python"}],
    "overrides": {"containerOverrides": [{"name": "main", "environment": [{"name": "A", "value": "b"}]}]},
}
answer = ecs.run_task(**request)
assert answer["failures"] == []
first = answer["tasks"][0]["taskArn"]
assert ecs.run_task(**request)["tasks"][0]["taskArn"] == first, "the same token is the same task"
conflict = refused("ConflictException", "clientToken", ecs.run_task, **{**request, "startedBy": "another"})
assert conflict["resourceIds"] == [first], conflict
ecs.get_waiter("tasks_running").wait(cluster=CLUSTER, tasks=[first], WaiterConfig=QUICKLY)
running = task(first, include=["TAGS"])
assert running["tags"] == [{"key": "language", "value": "python"}], running
assert "tags" not in task(first) or task(first)["tags"] == []
assert running["createdAt"] <= running["startedAt"] <= datetime.now(timezone.utc), running
assert running["desiredStatus"] == running["containers"][0]["lastStatus"] == "RUNNING", running
assert running["group"] == "family:boto" and running["launchType"] == "EC2", running

# Lists
others = [found["taskArn"] for found in ecs.run_task(cluster=CLUSTER, taskDefinition="boto", count=2)["tasks"]]
assert sorted(pages("list_tasks", cluster=CLUSTER)) == sorted([first, *others])
assert ecs.list_tasks(cluster=CLUSTER, startedBy="boto3")["taskArns"] == [first]
assert ecs.list_tasks(cluster=CLUSTER, family="other")["taskArns"] == []
assert first in ecs.list_tasks(cluster=CLUSTER, containerInstance=running["containerInstanceArn"])["taskArns"]

# A task stops
ecs.get_waiter("tasks_running").wait(cluster=CLUSTER, tasks=others, WaiterConfig=QUICKLY)
for arn in [first, *others]:
    assert ecs.stop_task(cluster=CLUSTER, task=arn, reason="enough")["task"]["desiredStatus"] == "STOPPED"
ecs.get_waiter("tasks_stopped").wait(cluster=CLUSTER, tasks=[first, *others], WaiterConfig=QUICKLY)
stopped = task(first)
assert stopped["stoppedReason"] == "enough" and stopped["stopCode"] == "UserInitiated", stopped
assert stopped["containers"][0]["exitCode"] == 143, stopped
assert running["startedAt"] <= stopped["stoppingAt"] <= stopped["stoppedAt"], stopped
assert ecs.list_tasks(cluster=CLUSTER)["taskArns"] == []
assert first in ecs.list_tasks(cluster=CLUSTER, desiredStatus="STOPPED")["taskArns"]
try:
    ecs.get_waiter("tasks_running").wait(cluster=CLUSTER, tasks=[first], WaiterConfig=QUICKLY)
    raise AssertionError("a stopped task was awaited")
except WaiterError as over:
    assert over.last_response["tasks"][0]["lastStatus"] == "STOPPED", over

# A task fails
define("failing", ["sh", "-c", "exit 3"])
failing = ecs.run_task(cluster=CLUSTER, taskDefinition="failing")["tasks"][0]["taskArn"]
define("missing", ["/no/such/program"])
missing = ecs.run_task(cluster=CLUSTER, taskDefinition="missing")["tasks"][0]["taskArn"]
ecs.get_waiter("tasks_stopped").wait(cluster=CLUSTER, tasks=[failing, missing], WaiterConfig=QUICKLY)
assert task(failing)["stopCode"] == "EssentialContainerExited" and task(failing)["containers"][0]["exitCode"] == 3
assert task(missing)["stopCode"] == "TaskFailedToStart" and "exitCode" not in task(missing)["containers"][0]

# No room, and refusals
define("giant", ["true"], memory=1_000_000)
failures = ecs.run_task(cluster=CLUSTER, taskDefinition="giant")["failures"]
assert [failure["reason"] for failure in failures] == 2 * ["RESOURCE:MEMORY"], failures
refused("ClientException", "TaskDefinition not found", ecs.run_task, cluster=CLUSTER, taskDefinition="other")
refused("InvalidParameterException", "count", ecs.run_task, cluster=CLUSTER, taskDefinition="boto", count=11)
wrong = {"containerOverrides": [{"name": "other"}]}
refused("InvalidParameterException", "not a container", ecs.run_task, cluster=CLUSTER, taskDefinition="boto", overrides=wrong)
refused("InvalidParameterException", "not found", ecs.stop_task, cluster=CLUSTER, task="0" * 32)
refused("InvalidParameterException", "Tasks cannot be empty", ecs.describe_tasks, cluster=CLUSTER, tasks=[])
refused("ClusterNotFoundException", "Cluster not found", ecs.list_tasks, cluster="other")
refused("ClusterNotFoundException", "Cluster not found", ecs.run_task, cluster="other", taskDefinition="boto")
refused("UnknownOperationException", "ListServices", ecs.list_services, cluster=CLUSTER)
unknown = ecs.describe_tasks(cluster=CLUSTER, tasks=["0" * 32])
assert unknown["tasks"] == [] and unknown["failures"][0]["reason"] == "MISSING", unknown

# Hosts
hosts = pages("list_container_instances", cluster=CLUSTER)
assert len(hosts) == 2, hosts
described = ecs.describe_container_instances(cluster=CLUSTER, containerInstances=hosts)["containerInstances"]
for host in described:
    assert host["agentConnected"] and host["runningTasksCount"] == host["pendingTasksCount"] == 0, host
    assert host["remainingResources"] == host["registeredResources"], host
refused("InvalidParameterException", "cannot be empty", ecs.describe_container_instances, cluster=CLUSTER, containerInstances=[])
for status in ["DRAINING", "ACTIVE"]:
    changed = ecs.update_container_instances_state(cluster=CLUSTER, containerInstances=hosts[:1], status=status)
    assert changed["containerInstances"][0]["status"] == status, changed
    assert hosts[0] in ecs.list_container_instances(cluster=CLUSTER, status=status)["containerInstanceArns"]
refused("InvalidParameterException", "at most 10", ecs.update_container_instances_state, cluster=CLUSTER, containerInstances=["a"] * 11, status="ACTIVE")

# Clusters
assert ecs.describe_clusters(clusters=[CLUSTER])["clusters"][0]["status"] == "ACTIVE"
empty = ecs.create_cluster(clusterName="empty")["cluster"]["clusterArn"]
assert empty in pages("list_clusters")
refused("InvalidParameterException", "No Container Instances were found", ecs.run_task, cluster="empty", taskDefinition="boto")
assert ecs.describe_clusters(clusters=["other"])["failures"][0]["reason"] == "MISSING"
print("boto3 and the local ECS agree")
