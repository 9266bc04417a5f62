FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags=-s -o /quizd ./cmd/quizd

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /quizd /quizd
USER 65534:65534
EXPOSE 8080
ENTRYPOINT ["/quizd"]
CMD ["serve"]
