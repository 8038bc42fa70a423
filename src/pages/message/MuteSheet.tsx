import { useTranslation } from 'react-i18next'
import {
  contentRoutes,
  mutableCategories,
  type MessageMutes,
  type MutableCategory,
} from '../../../contract/content.ts'
import { failedText } from '../../api/failureText.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { Card, ListRow, Sheet, Skeleton, Switch, toast } from '../../ui/index.ts'
import styles from './MuteSheet.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

const mutesSource: ResourceSource<MessageMutes> = {
  fetch: (call, signal) => call(contentRoutes.messageMutes, {}, { signal }),
}

/** Which kinds of messages count as new. The choice is the member's, on every device. */
export function MuteSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t('message.mutes')} closeLabel={t('common.close')}>
      <p className={styles.lead}>{t('message.mutesText')}</p>
      <Mutes />
    </Sheet>
  )
}

function Mutes() {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const { loadable, reload, put } = useResource(mutesSource)
  const muted = valueOf(loadable)?.muted
  const [change] = useAction(async (category: MutableCategory, isOn: boolean) => {
    if (muted === undefined) return
    const others = muted.filter((one) => one !== category)
    const next = { muted: isOn ? others : [...others, category] }
    put(next)
    const result = await call(contentRoutes.putMessageMutes, { body: next })
    if (result.ok) return
    put({ muted })
    toast({ text: failedText(t, format, t('message.mutesFailed'), result.failure), kind: 'problem' })
  })
  return (
    <Loaded of={loadable} failed={t('message.failed')} retry={reload} skeleton={<Skeleton height={280} />}>
      {(mutes) => (
        <Card>
          {mutableCategories.map((category) => {
            const label = t(`message.kind.${category}`)
            return (
              <ListRow
                key={category}
                label={label}
                end={
                  <Switch
                    label={label}
                    checked={!mutes.muted.includes(category)}
                    onChange={(isOn) => change(category, isOn)}
                  />
                }
              />
            )
          })}
          <ListRow
            label={t('message.kind.account')}
            caption={t('message.alwaysNew')}
            end={<Switch label={t('message.kind.account')} checked disabled onChange={() => undefined} />}
          />
        </Card>
      )}
    </Loaded>
  )
}
