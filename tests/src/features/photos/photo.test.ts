import { describe, expect, it } from 'vitest'
import type { CountryNames } from '../../../../contract/venueConfig.ts'
import { hourMs } from '../../../../contract/time.ts'
import { countriesIn } from '../../../../src/text/countries.ts'
import { localeOf } from '../../../../src/text/format.ts'
import {
  clearVerifyDraft,
  loadVerifyDraft,
  saveVerifyDraft,
} from '../../../../src/pages/verify/verifyDraft.ts'
import { fitWithin } from '../../../../src/features/photos/scalePhoto.ts'
import { reducePhoto, type PhotoAction, type PhotoState } from '../../../../src/features/photos/usePhoto.ts'

describe('photo', () => {
  it.each([
    [4000, 3000, 2560, 1920],
    [3000, 4000, 1920, 2560],
    [800, 600, 800, 600],
    [10_000, 1, 2560, 1],
    [0, 0, 1, 1],
  ])('scales %i × %i to %i × %i', (width, height, scaledWidth, scaledHeight) => {
    expect(fitWithin(width, height)).toEqual({ width: scaledWidth, height: scaledHeight })
  })

  const run = (...actions: PhotoAction[]): PhotoState =>
    actions.reduce<PhotoState>(reducePhoto, { state: 'empty' })
  const sending = { kind: 'sending', url: 'blob:1', total: 100 } as const

  it('goes through the states of an upload', () => {
    const halfway = run({ kind: 'chosen' }, sending, { kind: 'progress', sent: 50, total: 120 })
    expect(halfway).toEqual({ state: 'sending', url: 'blob:1', sent: 50, total: 120 })
    expect(reducePhoto(halfway, { kind: 'sent', uploadId: 'u', at: 7 })).toEqual({
      state: 'sent',
      uploadId: 'u',
      at: 7,
      url: 'blob:1',
    })
  })

  it('retains its picture after a failure, for a retry', () => {
    expect(run(sending, { kind: 'failed', failure: { kind: 'offline' } })).toEqual({
      state: 'failed',
      url: 'blob:1',
      problem: { kind: 'failure', failure: { kind: 'offline' } },
    })
  })

  it('ignores later actions after a cancel', () => {
    const cancelled = run(sending, { kind: 'cancelled' })
    expect(cancelled).toEqual({ state: 'empty' })
    for (const late of [
      { kind: 'progress', sent: 1, total: 2 },
      { kind: 'sent', uploadId: 'u', at: 1 },
      { kind: 'failed', failure: { kind: 'offline' } },
    ] as const) {
      expect(reducePhoto(cancelled, late)).toBe(cancelled)
    }
  })

  it('becomes empty with a problem if the venue rejects it', () => {
    expect(run({ kind: 'rejected', code: 'PHOTO_REQUIRED' })).toEqual({
      state: 'empty',
      problem: { kind: 'code', code: 'PHOTO_REQUIRED' },
    })
  })
})

function storage(): Storage {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => void entries.set(key, text),
    removeItem: (key: string) => void entries.delete(key),
    clear: () => entries.clear(),
    key: () => null,
    get length() {
      return entries.size
    },
  }
}

describe('verification draft', () => {
  const draft = {
    memberId: 'm',
    name: '林伟',
    idNumber: '1',
    nationality: 'CN',
    front: { uploadId: 'f', at: 0 },
    back: { uploadId: 'b', at: 10 * hourMs },
  }

  it('is restored as it was saved', () => {
    const testStorage = storage()
    saveVerifyDraft(draft, testStorage)
    expect(loadVerifyDraft('m', 11 * hourMs, testStorage)).toEqual(draft)
    clearVerifyDraft(testStorage)
    expect(loadVerifyDraft('m', 11 * hourMs, testStorage)).toBeUndefined()
  })

  it('omits photos that the venue no longer has, and is not restored for another member', () => {
    const testStorage = storage()
    saveVerifyDraft(draft, testStorage)
    const { front: _, ...rest } = draft
    expect(loadVerifyDraft('m', 24 * hourMs, testStorage)).toEqual(rest)
    expect(loadVerifyDraft('n', 1, testStorage)).toBeUndefined()
    expect(testStorage.length).toBe(0)
  })

  it('is undefined if storage is invalid or blocked', () => {
    const testStorage = storage()
    testStorage.setItem('verifyDraft', '{')
    expect(loadVerifyDraft('m', 0, testStorage)).toBeUndefined()
    const blocked = Object.assign(storage(), { setItem: fail, getItem: fail, removeItem: fail })
    expect(() => saveVerifyDraft(draft, blocked)).not.toThrow()
    expect(loadVerifyDraft('m', 0, blocked)).toBeUndefined()
    expect(() => clearVerifyDraft(blocked)).not.toThrow()
  })
})

function fail(): never {
  throw new Error('blocked')
}

describe('countriesIn', () => {
  it.each(['en', 'zh-CN', 'de'] as const)(
    'lists all countries in %s, China first, the rest sorted',
    (language) => {
      const all = countriesIn(language)
      expect(new Set(all.map(({ value }) => value)).size).toBe(242)
      expect(all[0]?.value).toBe('CN')
      const labels = all.slice(1).map(({ label }) => label)
      expect(labels).toEqual(labels.toSorted(new Intl.Collator(localeOf(language)).compare))
    },
  )

  it('uses short names, and the names that the operator sets', () => {
    const named = (code: string, names?: CountryNames) =>
      countriesIn('zh-CN', names).find(({ value }) => value === code)?.label
    expect([named('HK'), named('AQ')]).toEqual(['香港', undefined])
    const names = { HK: { 'zh-CN': '中国香港', en: 'Hong Kong, China' } }
    expect([named('HK', names), named('FR', names)]).toEqual(['中国香港', '法国'])
  })
})
