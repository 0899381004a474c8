"""Checks that boto3 works against the queues of a local stack: python boto3_sqs.py http://127.0.0.1:19324"""

import sys

import boto3

sqs = boto3.client(
    "sqs",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
)
claims = sqs.get_queue_url(QueueName="pool-claim")["QueueUrl"]
assert claims in [url for page in sqs.get_paginator("list_queues").paginate() for url in page["QueueUrls"]]


def attributes():
    return sqs.get_queue_attributes(QueueUrl=claims, AttributeNames=["All"])["Attributes"]


def receive(**more):
    return sqs.receive_message(
        QueueUrl=claims, AttributeNames=["ApproximateReceiveCount"], **more
    ).get("Messages", [])


# Of a retention ElasticMQ knows nothing: it keeps a message until it is deleted.
assert attributes()["VisibilityTimeout"] == "10", attributes()

sent = sqs.send_message(QueueUrl=claims, MessageBody='{"user": "alice"}')
assert attributes()["ApproximateNumberOfMessages"] == "1", attributes()
[taken] = receive(WaitTimeSeconds=1)
assert taken["Body"] == '{"user": "alice"}' and taken["MessageId"] == sent["MessageId"], taken
assert taken["MD5OfBody"] == sent["MD5OfMessageBody"], taken
assert receive() == [], "hidden from others"
assert attributes()["ApproximateNumberOfMessagesNotVisible"] == "1", attributes()
sqs.change_message_visibility(QueueUrl=claims, ReceiptHandle=taken["ReceiptHandle"], VisibilityTimeout=0)
[again] = receive(WaitTimeSeconds=1)
assert again["MessageId"] == sent["MessageId"], again
assert again["Attributes"]["ApproximateReceiveCount"] == "2", again
sqs.delete_message(QueueUrl=claims, ReceiptHandle=again["ReceiptHandle"])
assert attributes()["ApproximateNumberOfMessages"] == "0", attributes()
assert attributes()["ApproximateNumberOfMessagesNotVisible"] == "0", attributes()

entries = [{"Id": str(number), "MessageBody": str(number)} for number in range(3)]
assert len(sqs.send_message_batch(QueueUrl=claims, Entries=entries)["Successful"]) == 3
batch = receive(MaxNumberOfMessages=10)
assert sorted(message["Body"] for message in batch) == ["0", "1", "2"], batch
gone = [{"Id": message["Body"], "ReceiptHandle": message["ReceiptHandle"]} for message in batch]
assert len(sqs.delete_message_batch(QueueUrl=claims, Entries=gone)["Successful"]) == 3

try:
    sqs.get_queue_url(QueueName="other")
    raise AssertionError("there is another queue")
except sqs.exceptions.QueueDoesNotExist:
    pass
print("boto3 and the local SQS agree")
