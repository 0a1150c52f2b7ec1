# labctl as an image that holds the program and nothing else: no shell, no other file,
# no user but a number without rights. Build it with: docker build -t labctl:local .
# GO is the image that compiles, TARGETOS and TARGETARCH are set by the builder.
ARG GO=golang:1.26
FROM --platform=$BUILDPLATFORM ${GO} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS=linux
ARG TARGETARCH
ENV CGO_ENABLED=0
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false -ldflags='-s -w' -o /out/labctl ./cmd/labctl \
 && mkdir /out/results

FROM scratch
COPY --from=build --chmod=0555 /out/labctl /labctl
# Where herds of a Compose file write: a volume takes its owner from here.
COPY --from=build --chown=65532:65532 /out/results /results
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/labctl"]
CMD ["help"]
