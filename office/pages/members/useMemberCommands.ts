import { pathWith, navigate } from '../../../src/router/hashLocation.ts'
import type { TextKey } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { useMay } from '../../state/staff.ts'
import { recordParts } from './recordParts.ts'

const acts: readonly { label: TextKey; call: string }[] = [
  { label: 'member.freeze', call: 'members.freeze' },
  { label: 'member.unfreeze', call: 'members.unfreeze' },
  { label: 'member.endSessions', call: 'members.end-sessions' },
  { label: 'member.revoke', call: 'verifications.revoke' },
  { label: 'member.unbind', call: 'withdrawal-accounts.unbind' },
  { label: 'message.write', call: 'messages.send' },
]

/** Offers in the palette what can be looked up and done about the member of an open request: each opens the record. */
export function useMemberCommands(memberId: string | null): void {
  const may = useMay()
  const to = (query: Record<string, string>) => () => {
    if (memberId !== null) navigate(pathWith(`/members/${memberId}`, query))
  }
  useCommands(
    memberId === null || !may('members.show')
      ? []
      : [
          ...recordParts
            .filter(({ call }) => may(call))
            .map(({ name, label }) => ({ label, of: 'member' as const, query: { tab: name } })),
          ...acts
            .filter(({ call }) => may(call))
            .map(({ label }) => ({ label, of: 'member' as const, query: { act: label } })),
        ].map(({ label, of, query }) => ({ label, of, keys: '', group: 'request' as const, run: to(query) })),
  )
}
