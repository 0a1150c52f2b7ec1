package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// openDynamoDB is GetItem with the SDK's default retryer. Method, body and key are the
// SDK's own: always a POST.
func openDynamoDB() exchange {
	config := aws.Config{
		Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "nobody", SecretAccessKey: "nothing"}, nil
		}),
		HTTPClient: awshttp.NewBuildableClient().WithTimeout(timeout),
	}
	open := dynamodb.NewFromConfig(config)
	return func(c call) error {
		_, err := open.GetItem(context.Background(), &dynamodb.GetItemInput{
			TableName: aws.String("t"),
			Key:       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}},
		}, func(o *dynamodb.Options) { o.BaseEndpoint = aws.String(c.url) })
		return err
	}
}
