# The service of `npm start` in a container; README.md shows the two commands.
FROM node:24.21.0-bookworm

# The service stores data next to its sources, and needs no rights of root.
RUN mkdir -p /assay/.assay && chown -R node:node /assay
USER node
WORKDIR /assay

# As cli/bootstrap.mjs installs packages: no package runs install scripts, except the one that unpacks Node.
COPY --chown=node:node package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
RUN npm rebuild node --ignore-scripts=false --loglevel=error

COPY --chown=node:node . .

# Inside the container, localhost can't be reached from outside.
ENV ASSAY_HOST=0.0.0.0
EXPOSE 8787
VOLUME /assay/.assay
CMD ["node", "cli/bootstrap.mjs", "--max-semi-space-size=2", "cli/start.ts"]
