import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { When } from '../../ui/When.tsx'

/** What the staff noted last about a member, which may be why something is proposed. */
export function NewestNote({ memberId }: { memberId: string }) {
  const t = useTexts()
  const { data, failure } = useOfficeCall(
    officeRoutes.members.notes,
    { params: { id: memberId }, query: { limit: '1' } },
    { enabled: useMay()('members.notes') },
  )
  const note = data?.items[0]
  const said = note && (
    <>
      {note.by} · <When at={note.at} />
      {`\n${note.body}`}
    </>
  )
  return (
    <>
      <FailureLine failure={failure} />
      {data !== undefined && (
        <Facts items={[{ label: t('note.newest'), value: said ?? t('note.none'), wide: true }]} />
      )}
    </>
  )
}
