# docker build -t agent-architecture . && docker run --rm --network none -v "$PWD:/project:ro" agent-architecture
FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /app && /app/bin/pip install --no-cache-dir --disable-pip-version-check /source

FROM python:3.13-slim
COPY --from=build /app /app
# Nobody: the tool only reads.
USER 65534:65534
WORKDIR /project
ENTRYPOINT ["/app/bin/agent-architecture"]
CMD ["analyze", "."]
