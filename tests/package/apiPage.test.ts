import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'packages/uptick/API.md'), 'utf8')

it('packages/uptick/API.md is what its script writes', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, ['scripts/apiPage.mjs', '--check'], {
    cwd: root,
  })
  expect(stderr).toBe('')
})

it('shows what a type has, not the schema that it comes from', () => {
  expect(page).not.toContain('z.infer')
})

it('has what every import of the package exports', async () => {
  const subpaths = ['', '/test', '/vitest', '/replay', '/marbles', '/venue']
  for (const subpath of subpaths) {
    const exported = (await import(/* @vite-ignore */ `uptick${subpath}`)) as object
    const section = page.split(`## \`uptick${subpath}\`\n`)[1]?.split(/\n## /)[0] ?? ''
    const missing = Object.keys(exported).filter(
      (name) => !section.includes(`### ${name}\n`) && !section.includes(`\`${name}\``),
    )
    expect([subpath, missing.filter((name) => !['openProducts', 'readProducts'].includes(name))]).toEqual([
      subpath,
      [],
    ])
  }
})
