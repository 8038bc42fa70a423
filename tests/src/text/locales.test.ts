import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../../contract/constants.ts'
import { errorCodes, fieldCodes } from '../../../contract/errors.ts'
import {
  codeIn,
  differingPlaceholders,
  pluralCategories,
  pluralForms,
  readPack,
  stemsOf,
  unusedKeys,
} from '../../support/textPack.ts'

const root = join(import.meta.dirname, '../../..')
const read = (language: string): Map<string, string> => readPack(join(root, 'locales', `${language}.json`))
const codes = readdirSync(join(root, 'locales'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))
const source = read('zh-CN')
const stems = stemsOf(source)

/** The pack says カスタマーサポート, เจ้าหน้าที่ and CSKH. */
const otherServiceWords: Partial<Record<string, string>> = {
  ja: 'カスタマーサービス',
  th: 'ฝ่ายบริการลูกค้า',
  vi: 'chăm sóc khách hàng',
}

describe.each(codes)('pack %s', (language) => {
  const pack = read(language)

  it('is for a supported language', () => {
    expect(languages).toContain(language)
  })

  it('has exactly the keys of the source', () => {
    const packStems = stemsOf(pack)
    expect({
      missing: [...stems].filter((key) => !packStems.has(key)),
      extra: [...packStems].filter((key) => !stems.has(key)),
    }).toEqual({ missing: [], extra: [] })
  })

  it('has no empty text', () => {
    expect([...pack].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
  })

  it('has the placeholders and tags of the source', () => {
    expect(differingPlaceholders(pack, source)).toEqual([])
  })

  it('has one word for customer service', () => {
    const other = otherServiceWords[language]
    const wrong = [...pack].filter(([, text]) => other !== undefined && text.includes(other))
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('has every plural category of its language', () => {
    for (const [key, forms] of pluralForms(pack))
      expect([key, forms.toSorted()]).toEqual([key, pluralCategories(language)])
  })

  it('ends an error of several sentences with a full stop, except in Thai', () => {
    const wrong = [...pack].filter(([key, text]) => {
      const hasFullStop = /[.!?。！？]$/.test(text)
      const hasSeveralSentences = /[^.!?][.!?]\s|[。！？]./.test(text)
      return (
        key.startsWith('error.') && (language === 'th' ? hasFullStop : hasSeveralSentences && !hasFullStop)
      )
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('has no straight quotes, and the narrow spaces of French', () => {
    const wrong = [...pack].filter(([, text]) => {
      const plain = text.replaceAll(/\{\{.*?\}\}/g, '0')
      return /["']/.test(plain) || (language === 'fr' && /[^\s\u202F] ?[;!?%]|[^\u00A0] :|« | »/u.test(plain))
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('uses composed characters (NFC)', () => {
    expect([...pack].filter(([, text]) => text !== text.normalize('NFC')).map(([key]) => key)).toEqual([])
  })
})

describe('pack keys', () => {
  const code = codeIn(join(root, 'src'))
  const suffixed = [...code.matchAll(/`([a-z]\w*\.)\$\{[^}]+\}(\.?\w*)`/g)]

  it('are all used in the code', () => {
    expect(unusedKeys(stems, code)).toEqual([])
  })

  it('exist for every use in the code', () => {
    const sections = new Set([...stems].map((key) => key.split('.')[0]))
    const usedKeys = [...code.matchAll(/\bt\(\s*['"]([\w.]+)['"]/g)].map((m) => m[1] ?? '')
    expect(usedKeys.filter((key) => !stems.has(key) && sections.size > 0)).toEqual([])
    for (const [, prefix = '', suffix = ''] of suffixed) {
      if (!sections.has(prefix.slice(0, -1))) continue
      expect([...stems].some((key) => key.startsWith(prefix) && key.endsWith(suffix))).toBe(true)
    }
  })

  it('exist for every error code of the contract', () => {
    expect([...errorCodes, ...fieldCodes].filter((errorCode) => !stems.has(`error.${errorCode}`))).toEqual([])
  })
})
