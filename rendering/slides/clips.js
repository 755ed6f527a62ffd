// What clips on slides need beyond reveal.js. It listens to the events that reveal.js sends through
// the page, so that it works in any deck.
(() => {
  const PATIENCE = 1000; // milliseconds: a slide has faded out, a frame has been decoded
  const clipsOf = (slide) => (slide ? [...slide.querySelectorAll("video.film-clip")] : []);

  // A clip that was played shows its first frame until it has been wound back to it: else its last
  // frame would be seen for a moment when its slide comes again.
  const cover = (clip) => {
    const style = clip.style.cssText;
    clip.style.objectPosition = "-99999px 0";
    clip.style.background = `center / contain no-repeat url("${clip.poster}")`;
    let uncover = () => {
      uncover = () => {};
      clip.style.cssText = style;
    };
    if (clip.requestVideoFrameCallback) clip.requestVideoFrameCallback(() => uncover());
    else clip.addEventListener("seeked", () => uncover(), { once: true });
    setTimeout(() => uncover(), PATIENCE);
  };

  const rewind = (slide) => {
    if (slide.classList.contains("present")) return;
    for (const clip of clipsOf(slide)) clip.currentTime = 0;
  };

  document.addEventListener("slidechanged", ({ currentSlide, previousSlide }) => {
    for (const clip of clipsOf(currentSlide)) if (clip.currentTime > 0) cover(clip);
    if (previousSlide) setTimeout(() => rewind(previousSlide), PATIENCE);
  });

  // A browser lets a page play sound once it has been touched. Until then reveal.js plays a clip
  // muted and shows a button that says so; a key does what the button does.
  const unmute = () => document.querySelector(".r-media-play-button")?.click();
  document.addEventListener("keydown", unmute);
})();
