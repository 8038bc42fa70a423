import { useLayoutEffect } from 'react'
import { noteMax } from '../../../contract/office/memberHistory.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { call } from '../../api.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useTextField } from '../../keys/useTextField.ts'
import { useKeptText } from '../../state/drafts.ts'
import { useMay } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { When } from '../../ui/When.tsx'
import styles from './Notes.module.css'

const { members } = officeRoutes

/** What the staff noted about a member, for each other. The member never sees it, and nothing changes it. */
export function Notes({ memberId, isClosed }: { memberId: string; isClosed: boolean }) {
  const t = useTexts()
  const mayNote = useMay()('members.note') && !isClosed
  const { items, failure, isLoading, hasMore, isLoadingMore, more } = useOfficeList(members.notes, {
    params: { id: memberId },
  })
  return (
    <div className={styles.notes}>
      {mayNote && <NewNote memberId={memberId} />}
      <FailureLine failure={failure} />
      <ol className={styles.list} aria-label={t('member.notes')}>
        {items.map(({ id, at, by, body }) => (
          <li key={id} className={styles.note}>
            <p className={styles.by}>
              <strong>{by}</strong> · <When at={at} />
            </p>
            <p className={styles.body}>{body}</p>
          </li>
        ))}
      </ol>
      {!isLoading && items.length === 0 && failure === undefined && <p>{t('note.none')}</p>}
      {hasMore && (
        <Button variant="text" busy={isLoadingMore} onClick={more}>
          {t('list.more')}
        </Button>
      )}
    </div>
  )
}

function NewNote({ memberId }: { memberId: string }) {
  const t = useTexts()
  const [body, setBody] = useKeptText(`note ${memberId}`)
  const field = useTextField()
  const { run, busy, failure } = useRun(
    () => call(members.note, { params: { id: memberId }, body: { body: body.trim() } }),
    () => setBody(''),
  )
  // Who chooses this part begins to write, and the letters must not be keys: before the next key is read.
  // oxlint-disable-next-line react/exhaustive-deps -- once, when the part is shown
  useLayoutEffect(field.focus, [])
  const isEmpty = body.trim() === ''
  const save = (): void => {
    if (!isEmpty) run()
  }
  useCommands([
    { label: 'note.write', keys: 'r', group: 'list', run: field.focus },
    { label: 'note.save', keys: 'mod+Enter', group: 'list', run: save, inFields: true },
  ])
  return (
    <div {...field.props} className={styles.new}>
      <TextArea
        label={t('note.label')}
        hint={t('note.hint')}
        rows={3}
        maxLength={noteMax}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <FailureLine failure={failure} />
      <div>
        <Button size="small" busy={busy} disabled={isEmpty} onClick={save}>
          {t('note.save')} <Keys keys="mod+Enter" />
        </Button>
      </div>
    </div>
  )
}
