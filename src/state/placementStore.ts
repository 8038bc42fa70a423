import * as z from 'zod/mini'
import { directions } from '../../contract/orders.ts'
import { amountPattern } from '../../contract/money.ts'
import type { StoredPlacement, PlacementStore } from '../../streams/index.ts'
import { readJson, writeText } from './storage.ts'

const storageKey = 'intents'
/** More orders than a member can have in flight at once. */
const placementsMax = 50

const ownedPlacement = z.object({
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
type OwnedPlacement = z.infer<typeof ownedPlacement>

function readAll(): OwnedPlacement[] {
  const stored = readJson(storageKey)
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry: unknown) => {
    const parsed = z.safeParse(ownedPlacement, entry)
    return parsed.success ? [parsed.data] : []
  })
}

const write = (entries: OwnedPlacement[]): void =>
  writeText(storageKey, JSON.stringify(entries.slice(-placementsMax)))

/**
 * Orders in flight, stored before they are sent. Each belongs to the member who was shown its terms: another member who
 * logs in on this device does not resume them.
 */
export function createPlacementStore(memberId: () => string | undefined): PlacementStore {
  return {
    load: (): StoredPlacement[] =>
      readAll()
        .filter((entry) => entry.memberId === memberId())
        .map((entry) => entry.intent),
    save: (intent) => {
      const member = intent.openedFor ?? memberId()
      if (member === undefined) return
      write([...readAll().filter((entry) => entry.intent.key !== intent.key), { memberId: member, intent }])
    },
    drop: (key) => write(readAll().filter((entry) => entry.intent.key !== key)),
  }
}
