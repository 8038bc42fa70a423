import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../packages/uptick/src/cli/check.ts'
import { convert } from '../../packages/uptick/src/cli/convert.ts'
import { exchange } from '../../packages/uptick/src/cli/exchange.ts'
import { info } from '../../packages/uptick/src/cli/info.ts'
import { record } from '../../packages/uptick/src/cli/record.ts'
import { replay } from '../../packages/uptick/src/cli/replay.ts'
import { verify } from '../../packages/uptick/src/cli/verify.ts'
import { witness } from '../../packages/uptick/src/cli/witness.ts'

describe('docs/replay.md', () => {
  const root = join(import.meta.dirname, '../..')
  const page = readFileSync(join(root, 'docs/replay.md'), 'utf8')
  const blocks = (language: string): string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)

  it('has commands and options that exist', () => {
    const commands = [check, convert, exchange, info, record, replay, verify, witness]
    const lines = blocks('sh').flatMap((text) =>
      text.split('\n').filter((line) => line.startsWith('uptick ')),
    )
    const used = new Set(lines.map((line) => line.split(' ')[1]!))
    expect([...used].sort()).toEqual(commands.map(({ name }) => name))
    for (const line of lines) {
      const usage = commands.find(({ name }) => name === line.split(' ')[1])!.usage
      for (const option of line.match(/ --?[a-z]+/g) ?? []) expect(usage).toContain(option.trim())
    }
  })
})
