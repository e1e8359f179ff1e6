# A server for guests (docs/serve.md): docker build --tag kumite . && docker compose up
FROM python:3.14-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/kumite && /opt/kumite/bin/pip install --no-cache-dir ".[serve]"

FROM python:3.14-slim
RUN useradd --uid 1000 --home-dir /data kumite && install --directory --owner=kumite /data
COPY --from=build /opt/kumite /opt/kumite
ENV HOME=/data XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data/config PYTHONDONTWRITEBYTECODE=1
USER kumite
VOLUME /data
EXPOSE 2222 2280
# The page, as a browser asks for it.
HEALTHCHECK --interval=30s --timeout=5s CMD /opt/kumite/bin/python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:2280', timeout=4)"
CMD ["/opt/kumite/bin/kumite", "serve", "--tables", "127.0.0.1"]
