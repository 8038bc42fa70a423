import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))

/** The packages that the project must use, with the part that must import each. */
const clientPackages =
  'react react-dom wouter rxjs socket.io-client lightweight-charts valtio i18next react-i18next ofetch'
const client = [...sources('src'), ...sources('streams')].join('\n')
const tests = sources('tests').join('\n')
const build = readFileSync(join(root, 'vite.config.ts'), 'utf8')

const imports = (text: string, name: string): boolean =>
  new RegExp(`(?:from|import\\()\\s*'${name.replaceAll('.', '\\.')}(?:/[^']*)?'`).test(text)

it.each(clientPackages.split(' '))('the client imports %s', (name) =>
  expect(imports(client, name)).toBe(true),
)
it.each(['vitest', 'mock-socket'])('the tests import %s', (name) => expect(imports(tests, name)).toBe(true))
it('the build imports vite', () => expect(imports(build, 'vite')).toBe(true))
