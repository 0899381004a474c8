/** The cloud account: CloudFormation templates by the CDK, and what they cost. */
@NullMarked
package dev.berth.aws;

import org.jspecify.annotations.NullMarked;
