import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { queueNames } from '../../contract/office/queues.ts'
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
    const lists = [...code.matchAll(/createListLooks\(\w+, '(\w+)'\)/g)].map(([, kind = '']) => kind)
    const queues = queueNames.filter((queue) => queue !== 'service').map((queue) => `queue_${queue}`)
    const kinds = [...namesAfter('subject: \\{ kind', code), ...lists, ...queues]
    expect(kinds).toEqual(expect.arrayContaining(['withdrawal', 'service_threads']))
    expect(kinds.filter((kind) => !Object.hasOwn(texts.audit.kinds, kind))).toEqual([])
  })
})
