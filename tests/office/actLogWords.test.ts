import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import texts from '../../office/locales/zh-CN.json' with { type: 'json' }
import { codeIn } from '../support/textPack.ts'

/** Every name that the server's code gives in a literal after `before`. */
const namesAfter = (before: string, code: string): string[] => [
  ...new Set([...code.matchAll(new RegExp(`${before}: '([a-z_-]+)'`, 'g'))].map(([, name = '']) => name)),
]

describe('the words of the act log', () => {
  const code = codeIn(join(import.meta.dirname, '../../server'))

  it('name every act that the server records', () => {
    const acts = namesAfter('\\bact', code)
    expect(acts).toContain('view')
    expect(acts.filter((act) => !Object.hasOwn(texts.audit.acts, act))).toEqual([])
  })

  it('name every kind of thing that it records them about', () => {
    const kinds = namesAfter('subject: \\{ kind', code)
    expect(kinds).toContain('withdrawal')
    expect(kinds.filter((kind) => !Object.hasOwn(texts.audit.kinds, kind))).toEqual([])
  })
})
