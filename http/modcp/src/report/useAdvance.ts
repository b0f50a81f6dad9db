import { useState } from 'react';
import { readSetting, writeSetting } from '../storage/settings';

/** What is opened after a decision. */
export type AdvanceTo = 'report' | 'case';

/** Whether and to what a decision leads on, as chosen in this browser; a case leads to the next case. */
export function useAdvance(inCase: boolean) {
  const [on, setOnState] = useState(() => readSetting('advance') === 'on');
  const [to, setToState] = useState<AdvanceTo>(() => (inCase || readSetting('advanceTo') === 'case' ? 'case' : 'report'));
  const setOn = (next: boolean) => {
    writeSetting('advance', next ? 'on' : 'off');
    setOnState(next);
  };
  const setTo = (next: AdvanceTo) => {
    writeSetting('advanceTo', next);
    setToState(next);
  };
  return { on, setOn, to, setTo };
}

export type Advance = ReturnType<typeof useAdvance>;
