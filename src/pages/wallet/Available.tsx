import { useTranslation } from 'react-i18next'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** What is available now, as it moves. */
export function Available() {
  const { t } = useTranslation()
  const format = useFormat()
  const { assets$ } = useStreams()
  const assets = valueOf(useLoadable(assets$))
  return (
    <span>
      {t('home.available')} <b>{assets === undefined ? noFigure : format.money(assets.available)}</b>
    </span>
  )
}
