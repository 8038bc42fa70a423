import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import { When } from '../../ui/When.tsx'
import styles from './NewestNote.module.css'

type NewestNoteProps = { facts: Pick<MemberFacts, 'id' | 'latestNote' | 'noteCount'> }

/** What the staff noted last about a member, which may be why nothing should be approved; nothing without a note. */
export function NewestNote({ facts: { id, latestNote: note, noteCount } }: NewestNoteProps) {
  const t = useTexts()
  if (note === null) return null
  const said = (
    <>
      <span className={styles.said}>
        {note.by} · <When at={note.at} /> · {note.body}
      </span>
      {noteCount > 1 && (
        <TextLink href={hrefTo(`/members/${id}`, { tab: 'notes' })}>
          {t('note.more', { count: noteCount - 1 })}
        </TextLink>
      )}
    </>
  )
  return <Facts items={[{ label: t('note.newest'), value: said, wide: true }]} />
}
