import { useEffect, useState } from 'react';

const synthesis = (): SpeechSynthesis | undefined => (window as Partial<Window>).speechSynthesis;

/** A voice of this device for a language; others would send the text to a company. */
const localVoice = (language: string): SpeechSynthesisVoice | undefined =>
  synthesis()
    ?.getVoices()
    .find(({ localService, lang }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language);

interface Voice {
  isSpeaking: boolean;
  speak: (parts: readonly string[]) => void;
  stop: () => void;
}

/** Reads aloud in a language; null where this device has no voice of its own for it. */
export function useVoice(language: string): Voice | null {
  const [voice, setVoice] = useState(() => localVoice(language));
  const [isSpeaking, setSpeaking] = useState(false);
  useEffect(() => {
    const update = (): void => setVoice(localVoice(language));
    update();
    synthesis()?.addEventListener('voiceschanged', update);
    return () => {
      synthesis()?.removeEventListener('voiceschanged', update);
      synthesis()?.cancel();
    };
  }, [language]);
  if (!voice) return null;
  const stop = (): void => {
    synthesis()?.cancel();
    setSpeaking(false);
  };
  return {
    isSpeaking,
    stop,
    speak(parts) {
      stop();
      const spoken = parts.map((part) =>
        Object.assign(new SpeechSynthesisUtterance(part), { voice, lang: voice.lang }),
      );
      const last = spoken.at(-1);
      if (!last) return;
      last.addEventListener('end', () => setSpeaking(false));
      last.addEventListener('error', () => setSpeaking(false));
      for (const one of spoken) synthesis()?.speak(one);
      setSpeaking(true);
    },
  };
}
