// Starts the deck. Clips that stand in the page itself become files in memory first: a browser can
// wind those back and forth.
(async () => {
  for (const clip of document.querySelectorAll('video[data-src^="data:"]')) {
    const content = await fetch(clip.dataset.src);
    clip.dataset.src = URL.createObjectURL(await content.blob());
  }
  const { width, height } = document.body.dataset;
  await Reveal.initialize({
    width: Number(width), height: Number(height),
    scrollActivationWidth: null, // slides stay slides on a small screen
    margin: 0, minScale: 0.01, maxScale: 100, center: false,
    transition: "none", backgroundTransition: "none",
    hash: true, // a page that is loaded again opens on the same slide
    controls: false, progress: false, // nothing lies over a clip
    plugins: [RevealNotes],
  });
  // reveal.js writes the address up to a second later: who loads the page again would go back one.
  Reveal.on("slidechanged", ({ currentSlide }) => {
    try {
      history.replaceState(null, "", `#/${currentSlide.id}`);
    } catch {} // a browser may have had enough for the moment; reveal.js tries again
  });
  Reveal.addKeyBinding({ keyCode: 67, key: "C", description: "Show or hide captions" }, () => {
    const tracks = [...document.querySelectorAll("video.film-clip")].map((clip) => clip.textTracks[0]);
    const mode = tracks[0]?.mode === "showing" ? "disabled" : "showing";
    for (const track of tracks) track.mode = mode;
  });
})();
