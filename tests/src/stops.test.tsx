// @vitest-environment happy-dom
import i18next from 'i18next'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { epochMs } from '../../contract/units.ts'
import { languages } from '../../contract/constants.ts'
import { failedText } from '../../src/api/failureText.ts'
import { formatOf } from '../../src/text/format.ts'
import { dayFormatOf } from '../../src/text/formatDay.ts'
import { changeLanguage, startI18n } from '../../src/text/i18n.ts'
import { SectionError } from '../../src/pages/home/SectionError.tsx'
import { withdrawalTimeline } from '../../src/pages/wallet/WithdrawalSheet.tsx'
import { mount, one } from './ui/mount.tsx'
import { readPack } from '../support/textPack.ts'

const root = join(import.meta.dirname, '../..')
const secondStop = /[.。!?！？…]\s*[.。]/
type Canned = { reasons: Record<string, Record<string, string>> }
const reasonsIn = (language: string): string[] => {
  const text = readFileSync(join(root, `office/canned/${language}.json`), 'utf8')
  return Object.values((JSON.parse(text) as Canned).reasons).flatMap((reasons) => Object.values(reasons))
}

beforeAll(() => startI18n())

describe.each(languages)('a text with what ends in a full stop (%s)', (language) => {
  beforeAll(() => changeLanguage(language))

  it('has one full stop, whatever is filled in', () => {
    const translate = i18next.t as unknown as (key: string, values: Record<string, string>) => string
    const doubled = [...readPack(join(root, 'locales', `${language}.json`))].flatMap(([key, text]) => {
      const names = [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name)
      if (names.length === 0) return []
      const fill = (value: string) => translate(key, Object.fromEntries(names.map((name) => [name, value])))
      return [fill('30 Nov.'), fill('理由。'), fill('Why?')].filter((filled) => secondStop.test(filled))
    })
    expect(doubled).toEqual([])
  })

  it('is the outcome of a refused withdrawal, for each reason of the office', () => {
    const timeline = [{ at: epochMs(1), step: 'refused' as const }]
    for (const reason of reasonsIn(language)) {
      const [node] = withdrawalTimeline(i18next.t, formatOf(language), {
        timeline,
        status: 'failed',
        reason,
      })
      expect(node?.caption).toContain(reason)
      expect(node?.caption).toContain(i18next.t('withdraw.returned'))
      expect(node?.caption).not.toMatch(secondStop)
    }
  })

  it('is a date of the fund in every month', () => {
    for (let month = 1; month <= 12; month++) {
      const day = dayFormatOf(language).long(`2026-${String(month).padStart(2, '0')}-20`)
      const texts = [
        i18next.t('fund.inDone', { date: day }),
        i18next.t('fund.standardDone', { date: day }),
        i18next.t('fund.nextDates', { cutoff: '15:00', confirm: day, credit: day }),
      ]
      for (const text of texts) expect(text).not.toMatch(secondStop)
    }
  })
})

it.each(languages)(
  'two sentences of a page are separated as the language separates them (%s)',
  async (language) => {
    await changeLanguage(language)
    const failure = { kind: 'timeout' } as const
    const title = i18next.t('orders.failed')
    await mount(<SectionError failure={failure} title={title} onRetry={() => undefined} />)
    expect(one('p').textContent).toContain(failedText(i18next.t, formatOf(language), title, failure))
  },
)

it('no component puts a full stop after what it fills in', () => {
  const sources = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sources(path)
      return entry.name.endsWith('.tsx') ? [path] : []
    })
  const joined = [...sources(join(root, 'src')), ...sources(join(root, 'office'))].filter((path) =>
    /\}[.。] (?:\{|<)|\}[.。](?:\{|<)/.test(readFileSync(path, 'utf8')),
  )
  expect(joined).toEqual([])
})
