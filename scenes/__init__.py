"""The films, in viewing order."""

from scenes.attention.dot_product_grid import DotProductGrid
from scenes.attention.down_and_up_again import DownAndUpAgain
from scenes.attention.growing_a_pattern import GrowingAPattern
from scenes.attention.many_heads import ManyHeads
from scenes.attention.no_peeking import NoPeeking
from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.attention.queries_keys_values import QueriesKeysValues
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.attention.the_weighted_sum import TheWeightedSum
from scenes.block.build_a_block import BuildABlock
from scenes.block.keep_the_signal_tidy import KeepTheSignalTidy
from scenes.block.thinking_alone import ThinkingAlone
from scenes.block.where_parameters_live import WhereParametersLive
from scenes.task.one_token_at_a_time import OneTokenAtATime
from scenes.task.the_whole_road import TheWholeRoad
from scenes.task.what_comes_next import WhatComesNext
from scenes.training.every_prefix_is_an_exam import EveryPrefixIsAnExam
from scenes.vectors.a_space_with_directions import ASpaceWithDirections
from scenes.vectors.clocks_for_positions import ClocksForPositions
from scenes.vectors.cutting_text_into_tokens import CuttingTextIntoTokens
from scenes.vectors.from_one_hot_to_embedding import FromOneHotToEmbedding
from scenes.vectors.shuffle_the_words import ShuffleTheWords

FILMS = (
    WhatComesNext,
    OneTokenAtATime,
    TheWholeRoad,
    CuttingTextIntoTokens,
    FromOneHotToEmbedding,
    ASpaceWithDirections,
    ShuffleTheWords,
    ClocksForPositions,
    QueriesKeysValues,
    DotProductGrid,
    ScaleThenSoftmax,
    NoPeeking,
    TheWeightedSum,
    OneHeadAsMatrices,
    ManyHeads,
    DownAndUpAgain,
    GrowingAPattern,
    KeepTheSignalTidy,
    ThinkingAlone,
    BuildABlock,
    WhereParametersLive,
    EveryPrefixIsAnExam,
)
