import fc from 'fast-check'
import { loginPassword, transactionPassword } from '../../support/testMembers.ts'

/** Values that a fuzzer knows beside the schemas: existing ids, and values that pass a rule. */
export type FuzzPool = {
  add(noun: string, field: string, value: string): void
  /** Stores the ids, keys and cursors of an answer. */
  addFromAnswer(noun: string, text: string): void
  /** Values of a field; null if none are known. */
  arbitraryOf(noun: string, field: string): fc.Arbitrary<unknown> | null
}

const maxValues = 40
const idPattern = /"(id|key|nextCursor|captchaId|registerToken|uploadId|code)":"([^"\\]+)"/g

export function createFuzzPool(clock: { now(): number }): FuzzPool {
  const values = new Map<string, string[]>()
  const add: FuzzPool['add'] = (noun, field, value) => {
    const name = `${noun} ${field}`
    const known = (values.get(name) ?? []).filter((one) => one !== value)
    values.set(name, [...known, value].slice(-maxValues))
  }
  return {
    add,
    addFromAnswer: (noun, text) => {
      for (const [, field = '', value = ''] of text.matchAll(idPattern)) {
        add(noun, field === 'nextCursor' ? 'cursor' : field, value)
      }
    },
    arbitraryOf: (noun, field) => {
      const draw = (): unknown[] => [
        ...(fixedValues(clock.now())[field] ?? []),
        ...(noun === 'products' && field === 'id' ? ['BTCUSDT', 'XAUUSD'] : []),
        ...(values.get(`${noun} ${field}`) ?? []),
      ]
      // The known values grow, so look them up at each draw. If no cursor is known yet, send none.
      const unknown = field === 'cursor' ? undefined : 'none'
      return field === 'id' || field === 'cursor' || draw().length > 0
        ? fc.nat().map((n) => draw()[n % Math.max(1, draw().length)] ?? unknown)
        : null
    },
  }
}

function fixedValues(now: number): Record<string, readonly unknown[]> {
  return {
    account: ['guest001', 'fuzz_one', 'fuzz_two'],
    phone: ['13812345001', '13999999999', '13999999998'],
    openingCode: ['UPTICK', 'uptick', 'NOPE'],
    password: ['another horse 9', loginPassword],
    confirmPassword: ['another horse 9'],
    newPassword: ['another horse 9'],
    oldPassword: [loginPassword, transactionPassword],
    transactionPassword: ['135790', transactionPassword],
    confirmTransactionPassword: ['135790'],
    productId: ['BTCUSDT', 'XAUUSD'],
    amount: ['10.00', '20.00', '0.01', '999999.00'],
    seconds: [60],
    rateBp: [8500],
    validUntil: [now + 20_000, now + 1000],
    methodId: ['practice', 'bank-1'],
    slug: ['about', 'privacy', 'privacy-2', 'fund-rules', 'risk'],
    nationality: ['SG', 'CN'],
    name: ['Ann Lee', '王小明'],
    idNumber: ['S1234567', '110101199003074610'],
    contactEmail: ['ann@example.com', null],
    cardNumber: ['6222021234567890'],
    file: [
      '---\nlang: en\ntitle: Fuzz\n---\nA text\n',
      '---\nlang: de\ntitle: Fuzz\nid: fuzz-1\n---\nText\n',
    ],
    link: ['pages/news/news'],
    ms: [3_600_000],
    excludedUntil: [null],
    limit: ['1', '7', '100'],
    days: ['7'],
    level: [3],
    from: [0, now],
    month: ['2026-01'],
    title: ['A title'],
    body: ['Some words'],
  }
}
