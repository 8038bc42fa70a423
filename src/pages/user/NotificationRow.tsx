import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RouteAnswer } from '../../../contract/route.ts'
import { pushRoutes } from '../../../contract/push.ts'
import { failedText } from '../../api/failureText.ts'
import {
  hasSubscription,
  pushSupport,
  subscribeDevice,
  unsubscribeDevice,
} from '../../features/alerts/devicePush.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { ListRow, Switch, toast } from '../../ui/index.ts'

type PushAnswer = RouteAnswer<typeof pushRoutes.push>
const pushSource: ResourceSource<PushAnswer> = {
  fetch: (call, signal) => call(pushRoutes.push, {}, { signal }),
}

/** Allows or stops notifications on this device, or says why it cannot show any. */
export function NotificationRow() {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const { loadable, put } = useResource(pushSource)
  const [support, setSupport] = useState(pushSupport)
  const [isSubscribed, setSubscribed] = useState(false)
  const push = valueOf(loadable)
  useEffect(() => {
    let isCurrent = true
    void hasSubscription().then((has) => isCurrent && setSubscribed(has))
    return () => {
      isCurrent = false
    }
  }, [])
  const isOn = isSubscribed && push?.subscribed === true
  const [toggle, busy] = useAction(async (on: boolean) => {
    if (!push) return
    const subscription = on ? await subscribeDevice(push.publicKey) : null
    setSupport(pushSupport())
    if (on && subscription === null) {
      toast({ kind: 'problem', text: t('notifications.refused') })
      return
    }
    const result =
      subscription === null
        ? await call(pushRoutes.unsubscribePush, {})
        : await call(pushRoutes.subscribePush, { body: subscription })
    if (result.ok) put({ ...push, subscribed: on })
    else toast({ kind: 'problem', text: failedText(t, format, t('notifications.failed'), result.failure) })
    if (!on) await unsubscribeDevice()
    setSubscribed(await hasSubscription())
  })
  return (
    <ListRow
      label={t('notifications.title')}
      caption={t(support === 'ready' ? 'notifications.caption' : `notifications.${support}`)}
      {...(support === 'ready' && {
        end: (
          <Switch
            label={t('notifications.title')}
            checked={isOn}
            disabled={push === undefined || busy}
            onChange={toggle}
          />
        ),
      })}
    />
  )
}
