# One static binary and the certificates of those it asks (mail servers, providers, Stripe). For another machine's processor: docker buildx build --platform linux/amd64,linux/arm64 .
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags="-s -w -X main.release=$VERSION" -o /quizd ./cmd/quizd

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /quizd /quizd
USER 65534:65534
# Every socket has a goroutine that waits. Without this they begin with stacks as large as those of the requests before them: up to 1.8 kB more for each.
ENV GODEBUG=adaptivestackstart=0
EXPOSE 8080
ENTRYPOINT ["/quizd"]
CMD ["serve"]
