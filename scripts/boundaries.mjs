/**
 * Which file may import which: a rule of the linter (`.oxlintrc.json`), for `import`, `export … from`, `import()` and types.
 * Every row of the table holds for all files that it names, at every depth.
 */

/** The areas of the venue, each above those before it. */
const areas = ['platform', 'market', 'notices', 'money', 'trading', 'members', 'office', 'checks', 'start']

/** What of `src/` the office uses. */
const ofSrcForOffice = new RegExp(
  `^src/(proof/|ui/|${[
    'api/(client|downloader|failureText|result|uploader)',
    'features/(content/ArticleView|passkeys/passkeys|work/useWork)',
    'hooks/use(Action|Latest)',
    'lib/(copyText|emitter|saveFile)',
    'router/hashLocation',
    'state/(preferences|storage)',
    'text/(operatorName|format|languageNames|oneStop|utcOffset)',
  ].join('|')}\\.tsx?$)`,
)

/** Where a path is in the venue: the number of its area, -1 for its entries and for other folders. */
const areaOf = (path) => areas.indexOf(/^server\/(\w+)\//.exec(path)?.[1] ?? '')
const isEntry = (path) => /^server\/\w+\/\w+\/main\.ts$/.test(path)
const isDoor = (path) => /^server\/\w+\/(index|settings)\.ts$/.test(path)
/** What every area may use as it is, and what only the entries use. */
const hasNoDoor = (path) => areaOf(path) === 0 || areaOf(path) === areas.length - 1
const pageOf = (path) => /^src\/pages\/[^/]+\//.exec(path)?.[0]

/**
 * `from` matches the importing file, `to` what is imported: a path in the project, or the name of a package. A row with
 * `refuses` is narrower: both have to hold.
 */
const rows = [
  {
    from: /^contract\//,
    to: /^(streams|src|office|server|packages)\//,
    message: 'contract/ imports no other folder.',
  },
  { from: /^contract\//, to: /^node:/, message: 'contract/ is pure: both sides run it.' },
  {
    from: /^contract\//,
    to: /^(rxjs|react|react-dom|fastify|drizzle-orm|socket\.io[^/]*|valtio|pg)(\/|$)/,
    message: 'contract/ knows no framework.',
  },
  { from: /^streams\//, to: /^(src|server)\//, message: 'streams/ imports contract/ only.' },
  {
    from: /^streams\//,
    to: /^(node:|(react|react-dom|valtio|i18next|fastify)(\/|$))/,
    message: 'streams/ knows no UI.',
  },
  {
    from: /^(streams|src)\//,
    to: /^socket\.io-client/,
    message: 'The wire is opened in streams/wire/wire.ts.',
  },
  {
    from: /^packages\/uptick\/src\/(?!vitest\.ts$)/,
    to: /^(react|react-dom|valtio|i18next|fastify|drizzle-orm|vitest)(\/|$)/,
    message: 'The package knows no UI and no venue.',
  },
  {
    from: /^packages\/uptick\/src\/(?!vitest\.ts$)/,
    to: /^server\/(?!market\/package\.ts$)/,
    message: 'Of the venue the package has only what server/market/package.ts names.',
  },
  {
    from: /^server\/(?!vite\.config\.ts$)/,
    to: /^((src|streams|packages)\/|(react|react-dom)(\/|$))/,
    message: 'server/ imports contract/ only, and knows no UI.',
  },
  {
    from: /^server\/(?!vite\.config\.ts$)/,
    to: /^server\/\w+\//,
    refuses: (from, to) => areaOf(from) !== areaOf(to) && !hasNoDoor(to) && !isDoor(to),
    message: 'Another area is used through its index.ts, its settings through its settings.ts.',
  },
  {
    from: /^server\/\w+\//,
    to: /^server\//,
    refuses: (from, to) =>
      !isEntry(from) && areaOf(from) < areas.length - 1 && (areaOf(to) < 0 || areaOf(to) > areaOf(from)),
    message: `Imports go down: ${areas.join(' < ')}.`,
  },
  {
    from: /^(src|office)\//,
    to: /^server\//,
    message: 'What runs in a browser imports nothing of the venue.',
  },
  { from: /^src\//, to: /^streams\/(?!index\.ts$)/, message: 'src/ sees streams/ through its facade only.' },
  { from: /^src\//, to: /^node:/, message: 'src/ runs in a browser.' },
  { from: /^src\//, to: /^office\//, message: 'Members load nothing of the office.' },
  {
    from: /^src\/(?!pages\/)\w+\//,
    to: /^src\/(pages|features)\//,
    refuses: (from, to) => !(from.startsWith('src/features/') && to.startsWith('src/features/')),
    message: 'Only routes.ts and App.tsx import pages, only pages and App.tsx import features.',
  },
  {
    from: /^src\/pages\/[^/]+\//,
    to: /^src\/pages\//,
    refuses: (from, to) => pageOf(from) !== pageOf(to),
    message: 'A page imports no other page: what pages share is in src/features/.',
  },
  {
    from: /^office\/(?!vite\.config\.ts$)/,
    to: /^(socket\.io-client|rxjs|node:)/,
    message: 'The office asks the venue over HTTP only.',
  },
  {
    from: /^office\//,
    to: /^src\//,
    refuses: (_from, to) => !ofSrcForOffice.test(to) && to !== 'src/ui/theme.css',
    message: "The office uses what knows nothing of a member's session, pages or streams.",
  },
  {
    from: /^scripts\//,
    to: /^server\/\w+\/./,
    refuses: (_from, to) => !hasNoDoor(to) && !isDoor(to),
    message: 'A script uses an area through its index.ts or settings.ts.',
  },
]

/** A path in the project, or the name of a package. */
function targetOf(from, specifier) {
  if (!specifier.startsWith('.')) return specifier
  return new URL(specifier, `file:///${from}`).pathname.slice(1).replace(/\?.*$/, '')
}

const boundaries = {
  create(context) {
    const from = context.filename.slice(context.cwd.length + 1).replaceAll('\\', '/')
    const applying = rows.filter((row) => row.from.test(from))
    if (applying.length === 0) return {}
    const check = ({ source }) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const to = targetOf(from, source.value)
      for (const { to: named, refuses, message } of applying)
        if (named.test(to) && refuses?.(from, to) !== false) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
}

export default { meta: { name: 'uptick' }, rules: { boundaries } }
