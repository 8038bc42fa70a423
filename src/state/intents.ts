import * as z from 'zod/mini'
import { directions } from '../../contract/orders.ts'
import { amountPattern } from '../../contract/money.ts'
import type { Intent, IntentStore } from '../../streams/index.ts'
import { readJson, writeText } from './storage.ts'

const storageKey = 'intents'
/** More orders than a member can have on their way at once. */
const intentsMax = 50

const kept = z.object({
  memberId: z.string(),
  intent: z.object({
    key: z.string(),
    productId: z.string(),
    direction: z.enum(directions),
    amount: z.string().check(z.regex(amountPattern)),
    seconds: z.int(),
    rateBp: z.int(),
    validUntil: z.int(),
  }),
})
type Kept = z.infer<typeof kept>

function all(): Kept[] {
  const stored = readJson(storageKey)
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry: unknown) => {
    const parsed = z.safeParse(kept, entry)
    return parsed.success ? [parsed.data] : []
  })
}

const write = (entries: Kept[]): void => writeText(storageKey, JSON.stringify(entries.slice(-intentsMax)))

/**
 * Orders on their way, kept before they are sent. Each belongs to the member who placed it: whoever logs in next
 * on this device does not take them up.
 */
export function createIntentStore(memberId: () => string | undefined): IntentStore {
  return {
    load: (): Intent[] =>
      all()
        .filter((entry) => entry.memberId === memberId())
        .map((entry) => entry.intent),
    save: (intent) => {
      const member = memberId()
      if (member === undefined) return
      write([...all().filter((entry) => entry.intent.key !== intent.key), { memberId: member, intent }])
    },
    drop: (key) => write(all().filter((entry) => entry.intent.key !== key)),
  }
}
