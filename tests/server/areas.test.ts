import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../server/platform/paths.ts'

const run = promisify(execFile)

const throughDoor = 'Another area is used through its index.ts, its settings through its settings.ts.'
const down =
  'Imports go down: platform < market < notices < money < trading < members < office < checks < start.'

/** A file, and what it imports. */
const refused: [file: string, specifier: string, rule: string][] = [
  ['server/members/accounts/deep/x.ts', '../../../money/ledger/ledger.ts', throughDoor],
  ['server/checks/x.ts', '../trading/orders/placement.ts', throughDoor],
  ['server/checks/nightly/deep/x.ts', '../../../money/ledger/index.ts', throughDoor],
  ['server/modules.ts', './money/ledger/ledger.ts', throughDoor],
  ['server/start/engine/deep/x.ts', '../../../market/writer.ts', throughDoor],
  ['server/money/wallet/deep/x.ts', '../../../members/index.ts', down],
  ['server/platform/db/deep/x.ts', '../../../market/index.ts', down],
  ['server/platform/x.ts', '../start/config.ts', down],
  ['server/trading/orders/deep/x.ts', '../../../modules.ts', down],
  ['packages/uptick/src/cli/deep/x.ts', '../../../../../server/market/index.ts', 'Of the venue'],
  ['scripts/deep/x.ts', '../../server/money/ledger/ledger.ts', 'A script uses'],
  ['contract/deep/x.ts', '../../office/api.ts', 'contract/ imports'],
  ['src/ui/deep/x.ts', '../../pages/home/Home.tsx', 'Only routes.ts'],
  ['src/pages/home/deep/x.ts', '../../market/Market.tsx', 'A page imports no other page'],
  ['src/ui/deep/y.ts', '../../../streams/wire/wire.ts', 'through its facade only'],
  ['office/pages/deep/x.ts', '../../../src/state/session.ts', 'The office uses'],
]

const allowed: [file: string, specifier: string][] = [
  ['server/members/accounts/deep/x.ts', '../../../money/index.ts'],
  ['server/members/accounts/deep/y.ts', '../../../platform/db/database.ts'],
  ['server/office/x.ts', '../members/settings.ts'],
  ['server/checks/backup/main.ts', '../../start/config.ts'],
  ['server/members/accounts/deep/z.ts', '../../secondFactor/tickets.ts'],
  ['packages/uptick/src/cli/x.ts', '../../../../server/market/package.ts'],
  ['src/pages/home/deep/y.ts', '../Home.tsx'],
  ['office/pages/deep/y.ts', '../../../src/ui/index.ts'],
]

describe('the linter', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'areas-'))
    await mkdir(join(folder, 'scripts'))
    for (const file of ['.oxlintrc.json', 'scripts/boundaries.mjs'])
      await copyFile(join(projectRoot, file), join(folder, file))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** What the linter says about files, by name. */
  const lint = async (files: readonly [file: string, text: string][]): Promise<Map<string, string>> => {
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), `${text}\n`)
    }
    const oxlint = join(projectRoot, 'node_modules/oxlint/bin/oxlint')
    const { stdout } = await run(process.execPath, [oxlint, '-f', 'json', ...files.map(([file]) => file)], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code: string; message: string }[]
    }
    const said = new Map(files.map(([file]) => [file, '']))
    for (const { filename, code, message } of diagnostics)
      said.set(filename, `${said.get(filename) ?? ''}${code} ${message}\n`)
    return said
  }

  it('refuses what goes past a door or upwards, at every depth, and types too', async () => {
    const statements = [
      "import type { X } from '@'\nexport type Y = X",
      "export { x } from '@'",
      "export const x = import('@')",
      "export type X = import('@').X",
    ]
    for (const statement of statements) {
      const said = await lint(refused.map(([file, specifier]) => [file, statement.replace('@', specifier)]))
      for (const [file, , rule] of refused) expect(said.get(file), file).toContain(rule)
    }
  })

  it('lets an area import the doors below it', async () => {
    const said = await lint(allowed.map(([file, specifier]) => [file, `export { x } from '${specifier}'`]))
    for (const [file] of allowed) expect(said.get(file), file).not.toContain('boundaries')
  })

  it('refuses a circle that only types close', async () => {
    const said = await lint([
      ['server/money/a.ts', "import type { B } from './b.ts'\nexport type A = B | 1"],
      ['server/money/b.ts', "import type { A } from './a.ts'\nexport type B = A[]"],
    ])
    for (const text of said.values()) expect(text).toContain('no-cycle')
  })
})
