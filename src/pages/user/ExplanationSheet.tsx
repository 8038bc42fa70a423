import { useTranslation } from 'react-i18next'
import { assertNever } from '../../../contract/units.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useSession } from '../../state/session.ts'
import { Stat, KeyValues, Sheet } from '../../ui/index.ts'
import type { AssetStat } from '../../features/account/AssetsHead.tsx'
import styles from './ExplanationSheet.module.css'
import { AssetExplanation } from './AssetExplanation.tsx'
import { isLevelKey, levelKeyOf } from './levels.ts'

/** Everything on the account page that has an explanation. */
export type ExplainedItem = AssetStat | 'level' | 'verified' | 'creditScore'

export type ExplanationSheetProps = { what: ExplainedItem; open: boolean; onClose: () => void }

const titleKeys = {
  total: 'home.totalAssets',
  available: 'home.available',
  todayPnl: 'home.todayPnl',
  accountPnl: 'me.accountPnl',
  level: 'me.memberLevel',
  verified: 'title.verify',
  creditScore: 'me.creditScore',
} as const

/** Explains an item: its meaning, its formula and its inputs. */
export function ExplanationSheet({ what, open, onClose }: ExplanationSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t(titleKeys[what])} closeLabel={t('common.close')}>
      <div className={styles.body}>
        <Explanation what={what} />
      </div>
    </Sheet>
  )
}

function Explanation({ what }: { what: ExplainedItem }) {
  switch (what) {
    case 'total':
    case 'available':
    case 'todayPnl':
    case 'accountPnl':
      return <AssetExplanation stat={what} />
    case 'level':
      return <LevelExplanation />
    case 'verified':
      return <VerifiedExplanation />
    case 'creditScore':
      return <CreditScoreExplanation />
    default:
      return assertNever(what)
  }
}

/** All levels in order, with the member's own marked. */
function LevelExplanation() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  const levels = useVenueConfig()?.levels ?? []
  const ownKey = levelKeyOf(levels, userInfo?.level ?? 0)
  return (
    <>
      {ownKey !== undefined && <Stat size={28}>{t(`me.level.${ownKey}`)}</Stat>}
      <p className={styles.text}>{t('me.explain.level')}</p>
      <KeyValues
        items={levels.flatMap(({ level, key }) =>
          isLevelKey(key)
            ? [
                {
                  key,
                  label: `${level} · ${t(`me.level.${key}`)}`,
                  value: key === ownKey ? t('me.explain.yourLevel') : '',
                },
              ]
            : [],
        )}
      />
    </>
  )
}

function VerifiedExplanation() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  return (
    <>
      <Stat size={28}>{t(`me.verificationStatus.${userInfo?.verification ?? 'none'}`)}</Stat>
      <p className={styles.text}>{t('me.explain.verified')}</p>
    </>
  )
}

function CreditScoreExplanation() {
  const { t } = useTranslation()
  const format = useFormat()
  const { userInfo } = useSession()
  return (
    <>
      <Stat size={28}>{format.decimal(String(userInfo?.creditScore ?? 0))}</Stat>
      <p className={styles.text}>{t('me.explain.creditScore')}</p>
    </>
  )
}
