import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { dayMs } from '../../../contract/time.ts'

/** For so long before a withdrawal a change counts, if nothing was paid since; a new device, which many have, for less. */
const changeMs = 30 * dayMs
const deviceMs = dayMs

/** The security changes that make a withdrawal the first one after them, which is a danger for the person who approves or pays it. */
export const freshChangesOf = (
  { createdAt }: { createdAt: number },
  { changes, lastPaidAt }: Pick<MemberFacts, 'changes' | 'lastPaidAt'>,
): MemberFacts['changes'] =>
  changes.filter(({ what, at }) => {
    const isRecent = at > createdAt - (what === 'new_device' ? deviceMs : changeMs)
    return isRecent && at > (lastPaidAt ?? 0)
  })
